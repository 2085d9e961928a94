import * as z from "zod";
import { documentedChoices } from "../../http/request/choices.ts";
import {
  boundedText,
  idCursorParam,
  EVEN_WITH_OTHER_FAULTS,
  limitParam,
  phoneNumber,
  recordId,
  rowError,
} from "../../http/fields.ts";
import { messageDelivery } from "./messages.states.ts";
import { sentParts } from "../templates/model/sent-parts.schemas.ts";
import { lenientAddresseeFields, oneAddressee, requireAddressee } from "./input/message-input.schemas.ts";

const variables = z
  .union(
    [z.array(z.string()), z.record(z.string(), z.string())],
    "Must be a list with a string for each position {{1}}, {{2}} …, or an object with a string for each name.",
  )
  .meta({
    description: "A list with one value for each position {{1}}, {{2}} …, or an object with a value for each name.",
  });

const templateFields = { variables: variables.optional(), ...sentParts };

export const sendTemplateBody = z
  .strictObject({ ...lenientAddresseeFields, ...templateFields })
  .superRefine(requireAddressee, EVEN_WITH_OTHER_FAULTS)
  .meta(documentedChoices(oneAddressee));

export const testTemplateBody = z.strictObject({ to: phoneNumber({ requirePlus: false }), ...templateFields });

export const replyWithTemplateBody = z.strictObject({ ...templateFields, template_id: boundedText(100) });

export const historyPageQuery = z.strictObject({
  include: z.literal("notes").optional().meta({ description: "`notes` includes the notes of members and software." }),
  limit: limitParam(100),
  cursor: idCursorParam("msg", "note"),
});

const FILTERS = ["contact_id", "conversation_id", "delivery", "campaign_id"] as const;

export const listMessagesQuery = z
  .strictObject({
    contact_id: recordId.optional().meta({ description: "Only messages of this contact." }),
    conversation_id: recordId.optional().meta({ description: "Only messages of this conversation." }),
    delivery: messageDelivery
      .optional()
      .meta({ description: "Only messages with this delivery state.", examples: ["failed"] }),
    campaign_id: recordId.optional().meta({ description: "Only messages of this campaign." }),
    limit: limitParam(),
    cursor: idCursorParam("msg"),
  })
  .superRefine((query, issues) => {
    if (FILTERS.some((name) => query[name] !== undefined)) return;
    const message = `Send at least one of ${FILTERS.join(", ")}.`;
    issues.addIssue({ code: "custom", path: ["contact_id"], message, params: { code: "required" } });
  }, EVEN_WITH_OTHER_FAULTS);

export const acceptedMessage = z.object({
  /** Results that were stored before scheduled messages existed do not have this field. */
  status: z.enum(["queued", "scheduled"]).default("queued"),
  message_id: z.string(),
  contact_id: z.string(),
  conversation_id: z.string(),
  contact_seq: z.number(),
  connection_id: z.string(),
  sample_variables: z.array(z.string()).optional(),
});

export type AcceptedMessage = z.infer<typeof acceptedMessage>;

export const acceptedView = {
  message_id: z.string(),
  conversation_id: z.string(),
  contact_id: z.string(),
  status: z.enum(["queued", "scheduled"]).meta({ description: "`scheduled` if the message has a `send_at`." }),
};

export const presentAccepted = ({ message_id, conversation_id, contact_id, status }: AcceptedMessage) => ({
  message_id,
  conversation_id,
  contact_id,
  status,
});

export const sentRows = z.array(
  z.object({ accepted: acceptedMessage.nullable(), error: z.object(rowError.shape).nullable() }),
);

export type SentRow = z.infer<typeof sentRows>[number];

export const sendBatchView = {
  results: z.array(
    z.strictObject({
      index: z.int(),
      status: z.enum([...acceptedView.status.options, "failed"]),
      message_id: acceptedView.message_id.nullable(),
      conversation_id: acceptedView.conversation_id.nullable(),
      contact_id: acceptedView.contact_id.nullable(),
      error: rowError.nullable(),
    }),
  ),
  counts: z.strictObject({ queued: z.int(), scheduled: z.int(), failed: z.int() }),
};

const NOT_ACCEPTED = { message_id: null, conversation_id: null, contact_id: null, status: "failed" as const };

export function presentSentRows(rows: SentRow[]): z.input<z.ZodObject<typeof sendBatchView>> {
  const counts = { queued: 0, scheduled: 0, failed: 0 };
  const results = rows.map(({ accepted, error }, index) => {
    const { status, ...ids } = accepted === null ? NOT_ACCEPTED : presentAccepted(accepted);
    counts[status]++;
    return { index, status, ...ids, error };
  });
  return { results, counts };
}
