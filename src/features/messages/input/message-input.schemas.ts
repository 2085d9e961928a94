import * as z from "zod";
import { outboundTypes } from "../../../channels/content.ts";
import {
  boundedText,
  documentedAs,
  EVEN_WITH_OTHER_FAULTS,
  phoneNumber,
  recordId,
  utcTime,
} from "../../../http/fields.ts";
import { parseRow } from "../../../http/request/validate.ts";
import { type AppError, invalid } from "../../../shared/errors.ts";
import { documentedChoices, oneOf, requireOneOf } from "../../../http/request/choices.ts";
import { contentInputs } from "./content-input.schemas.ts";

const MAX_METADATA = 10;

const metadataInput = z
  .record(
    z.string().refine((name) => name.trim() !== "" && Array.from(name).length <= 60, {
      message: "Names must have 1 to 60 characters.",
      params: { code: "invalid_value" },
    }),
    z.string().refine((value) => Array.from(value).length <= 500, {
      message: "Must have at most 500 characters.",
      params: { code: "too_big" },
    }),
  )
  .refine((metadata) => Object.keys(metadata).length <= MAX_METADATA, {
    message: `Must have at most ${MAX_METADATA} names.`,
    params: { code: "too_big" },
  })
  .meta({
    description: `Up to ${MAX_METADATA} strings of your own, each with a name. Returned with the message and its events.`,
  });

const messageFields = {
  ...contentInputs,
  preview_url: z.boolean().optional().meta({ description: "True to show a preview of the first link in the text." }),
  reply_to: recordId.optional().meta({ description: "Message of the same conversation to quote." }),
  send_at: utcTime().optional().meta({ description: "Send time in UTC, within 365 days. Default: immediately." }),
  metadata: metadataInput.optional(),
};

export type MessageInput = z.output<z.ZodObject<typeof messageFields, z.core.$strict>>;

function checkBesideContent(input: MessageInput, issues: z.core.$RefinementCtx): void {
  const fault = (path: string, message: string) =>
    issues.addIssue({ code: "custom", path: [path], message, params: { code: "invalid_value" } });
  const type = outboundTypes.find((each) => input[each] !== undefined);
  if (input.preview_url !== undefined && type !== "text") fault("preview_url", "This field requires text.");
  if (type !== "reaction") return;
  if (input.reply_to !== undefined) fault("reply_to", "This field cannot be combined with reaction.");
  if (input.send_at !== undefined) fault("send_at", "This field cannot be combined with reaction.");
}

const requireContent = requireOneOf(outboundTypes);
const oneContent = oneOf(outboundTypes);

const addresseeFields = {
  to: phoneNumber({ requirePlus: true }).optional(),
  contact_id: recordId.optional(),
  user_id: boundedText(256).optional().meta({
    description: "Id that the provider of the key's connection uses for a person without a phone number.",
  }),
};

export const lenientAddresseeFields = { ...addresseeFields, to: phoneNumber({ requirePlus: false }).optional() };

const addresseeNames = ["to", "contact_id", "user_id"] as const;

export type AddresseeInput = { to: string } | { contact_id: string } | { user_id: string };

export const requireAddressee = requireOneOf(addresseeNames);
export const oneAddressee = oneOf(addresseeNames);

export function requestedAddressee({
  to,
  contact_id,
  user_id,
}: { [Name in (typeof addresseeNames)[number]]?: string | undefined }): AddresseeInput {
  if (contact_id !== undefined) return { contact_id };
  return user_id === undefined ? { to: to ?? "" } : { user_id };
}

export const sendMessageBody = z
  .strictObject({ ...addresseeFields, ...messageFields })
  .superRefine(requireAddressee, EVEN_WITH_OTHER_FAULTS)
  .superRefine(requireContent, EVEN_WITH_OTHER_FAULTS)
  .superRefine(checkBesideContent, EVEN_WITH_OTHER_FAULTS)
  .meta({
    id: "MessagesSendRequest",
    description: "Requires exactly one of `to`, `contact_id` and `user_id`, and exactly one content.",
    ...documentedChoices(oneAddressee, oneContent),
  });

export const replyBody = z
  .strictObject(messageFields)
  .superRefine(requireContent, EVEN_WITH_OTHER_FAULTS)
  .superRefine(checkBesideContent, EVEN_WITH_OTHER_FAULTS)
  .meta({
    id: "ConversationsReplyRequest",
    description: "Requires exactly one content.",
    ...documentedChoices(oneContent),
  });

export const sendBatchBody = z.strictObject({
  messages: z
    .array(z.unknown().meta(documentedAs("MessagesSendRequest")))
    .min(1)
    .max(100)
    .meta({ description: "Bodies of `messages.send`. Each body is validated separately." }),
});

export type MessageRow = { addressee: AddresseeInput; input: MessageInput } | { error: AppError };

export function parseMessageRow(sent: unknown, rowPath: string): MessageRow {
  const row = parseRow(sendMessageBody, sent, rowPath);
  return row.faults === null
    ? { addressee: requestedAddressee(row.data), input: row.data }
    : { error: invalid(row.faults) };
}
