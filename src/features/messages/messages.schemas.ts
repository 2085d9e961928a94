import { MAX_MESSAGE_CHARACTERS } from "../../shared/text.ts";
import * as z from "zod";
import { workspaceRef, type WorkspaceRef } from "../../shared/workspace.ts";
import {
  cursorParam,
  iso,
  isoOrNull,
  limitParam,
  phoneNumber,
  boundedText,
  timestamp,
  verbatim,
} from "../../http/fields.ts";
import { messageErrorCodes } from "../../channels/channel.ts";
import { toDelivery } from "./messages.states.ts";
import type { HistoryRecord } from "./conversation-history.sql.ts";
import type { MessageRecord } from "./messages.sql.ts";

const messageText = verbatim(MAX_MESSAGE_CHARACTERS);

export const sendMessageBody = z.strictObject({ to: phoneNumber({ requirePlus: true }), text: messageText });

const variables = z
  .union(
    [z.array(z.string()), z.record(z.string(), z.string())],
    "A list of strings for {{1}}, {{2}} …, or an object of name → string.",
  )
  .meta({
    description:
      "A list for {{1}}, {{2}} … in order, or an object by name, which goes before the contact's own values.",
  });

export const sendTemplateBody = z.strictObject({
  to: phoneNumber({ requirePlus: false }),
  variables: variables.optional(),
});

export const replyBody = z.strictObject({ text: messageText });

export const replyWithTemplateBody = sendTemplateBody
  .pick({ variables: true })
  .extend({ template_id: boundedText(100) });

export const historyPageQuery = z.strictObject({ limit: limitParam(100), cursor: cursorParam(z.tuple([z.string()])) });

/** A message that was queued, as it is kept to answer a repeat of the request. */
export const acceptedMessage = z.object({
  message_id: z.string(),
  contact_id: z.string(),
  conversation_id: z.string(),
  contact_seq: z.number(),
  connection_id: z.string(),
});

export type AcceptedMessage = z.infer<typeof acceptedMessage>;

export const acceptedView = {
  message_id: z.string(),
  conversation_id: z.string(),
  contact_id: z.string(),
  status: z.literal("queued"),
};

export const presentAccepted = ({ message_id, conversation_id, contact_id }: AcceptedMessage) => ({
  message_id,
  conversation_id,
  contact_id,
  status: "queued" as const,
});

const revised = {
  edited_at: timestamp.nullable().meta({ description: "When its author last changed it; `body` is what it says now." }),
  revoked_at: timestamp.nullable().meta({ description: "When its author took it back." }),
};

const delivery = z.enum(["queued", "sent", "delivered", "read", "failed", "unknown"]);

export const messageView = z
  .strictObject({
    id: z.string(),
    conversation_id: z.string().nullable(),
    contact_id: z.string(),
    campaign_id: z.string().nullable(),
    template_id: z.string().nullable(),
    to: z.string(),
    body: z.string(),
    from_contact: z.boolean(),
    delivery,
    provider_message_id: z.string().nullable(),
    error: z
      .strictObject({ code: z.enum(messageErrorCodes), message: z.string(), provider_code: z.string().nullable() })
      .nullable(),
    created_at: timestamp,
    sent_at: timestamp.nullable(),
    delivered_at: timestamp.nullable(),
    read_at: timestamp.nullable(),
    failed_at: timestamp.nullable(),
    cost: z
      .strictObject({ billable: z.boolean().nullable(), category: z.string().nullable(), type: z.string().nullable() })
      .nullable()
      .meta({ description: "How the provider prices the message, once its statuses say so." }),
    ...revised,
    versions: z
      .array(z.strictObject({ body: z.string(), written_at: timestamp }))
      .meta({ description: "What it said before it was edited or taken back, oldest first." }),
  })
  .meta({ id: "Message" });

export const historyView = z
  .strictObject({
    id: z.string(),
    body: z.string(),
    from_contact: z.boolean(),
    delivery,
    created_at: timestamp,
    ...revised,
  })
  .meta({ id: "ConversationMessage" });

const errorCode = z.enum(messageErrorCodes).catch("provider_rejected");

function presentCost({ billable, price_category: category, price_type: type }: MessageRecord) {
  const isPriced = billable !== null || category !== null || type !== null;
  return isPriced ? { billable, category, type } : null;
}

/** Texts of a message before it was edited or taken back: all versions but the one that it shows now. */
export const earlierVersions = ({ versions, revoked_at }: Pick<MessageRecord, "versions" | "revoked_at">) =>
  revoked_at === null ? versions.slice(0, -1) : versions;

export const presentMessage = (record: MessageRecord): z.infer<typeof messageView> => ({
  id: record.id,
  conversation_id: record.conversation_id,
  contact_id: record.contact_id,
  campaign_id: record.campaign_id,
  template_id: record.template_id,
  to: record.to,
  body: record.body,
  from_contact: record.from_contact,
  delivery: toDelivery(record.state),
  provider_message_id: record.provider_message_id,
  error:
    record.error_code === null
      ? null
      : {
          code: errorCode.parse(record.error_code),
          message: record.error_message ?? "",
          provider_code: record.provider_code,
        },
  created_at: iso(record.created_at),
  sent_at: isoOrNull(record.sent_at),
  delivered_at: isoOrNull(record.delivered_at),
  read_at: isoOrNull(record.read_at),
  failed_at: isoOrNull(record.failed_at),
  cost: presentCost(record),
  edited_at: isoOrNull(record.edited_at),
  revoked_at: isoOrNull(record.revoked_at),
  versions: earlierVersions(record).map(({ body, written_at }) => ({ body, written_at: iso(written_at) })),
});

export const presentHistory = (record: HistoryRecord): z.infer<typeof historyView> => ({
  id: record.id,
  body: record.body,
  from_contact: record.from_contact,
  delivery: toDelivery(record.state),
  created_at: iso(record.created_at),
  edited_at: isoOrNull(record.edited_at),
  revoked_at: isoOrNull(record.revoked_at),
});

/** A thread: one contact on one connection. Its direct messages are sent one after the other. */
export interface ThreadKey {
  contactSeq: number;
  connectionId: string;
}

/** The queue message that has a thread's due messages sent. Dropping one loses nothing: the sweep finds the rows. */
export const deliverThreadJob = z.object({
  v: z.literal(1),
  workspace: workspaceRef,
  contactSeq: z.number(),
  connectionId: z.string(),
});

export const createDeliverThreadJob = (
  workspace: WorkspaceRef,
  { contactSeq, connectionId }: ThreadKey,
): z.infer<typeof deliverThreadJob> => ({ v: 1, workspace, contactSeq, connectionId });
