import * as z from "zod";
import { channelName } from "../../channels/connection-status.ts";
import { cursorParam, flagParam, iso, limitParam, timestamp } from "../../http/fields.ts";

const status = z
  .enum(["open", "done"])
  .meta({ id: "ConversationStatus", description: "`done` until the person writes again." });

/** A conversation as it is read from the database. */
export const conversationRecord = z.object({
  id: z.string(),
  contact_id: z.string(),
  contact_name: z.string().nullable(),
  contact_phone: z.string().nullable(),
  /** Of a person without a number; answers stored by earlier versions lack it. */
  contact_username: z.string().nullable().default(null),
  connection_id: z.string(),
  channel: channelName,
  last_message: z.string(),
  last_message_at: z.number(),
  unread_count: z.number(),
  status,
});

export type ConversationRecord = z.infer<typeof conversationRecord>;

export const listConversationsQuery = z.strictObject({
  status: status.optional().meta({ description: "Only those with this status." }),
  unread: flagParam.optional().meta({ description: "`true`: only those with unread messages." }),
  limit: limitParam(),
  cursor: cursorParam(z.tuple([z.number(), z.string()])),
});

export const updateConversationBody = z.strictObject({ status });

export const markReadBody = z.strictObject({
  receipt: z
    .boolean()
    .optional()
    .meta({ description: "`false`: the person is not told. Otherwise the provider is, where it has a way to." }),
});

export const conversationView = z
  .strictObject({
    id: z.string(),
    contact: z.strictObject({ id: z.string(), name: z.string().nullable(), phone: z.string().nullable() }),
    connection_id: z.string(),
    channel: channelName,
    last_message: z.string().meta({ description: "A readable line of the latest message, by either side." }),
    last_message_at: timestamp,
    unread_count: z
      .int()
      .meta({ description: "Messages of the person since the conversation was last marked as read." }),
    status,
  })
  .meta({ id: "Conversation" });

export const presentConversation = (record: ConversationRecord): z.infer<typeof conversationView> => ({
  id: record.id,
  contact: { id: record.contact_id, name: record.contact_name, phone: record.contact_phone },
  connection_id: record.connection_id,
  channel: record.channel,
  last_message: record.last_message,
  last_message_at: iso(record.last_message_at),
  unread_count: record.unread_count,
  status: record.status,
});
