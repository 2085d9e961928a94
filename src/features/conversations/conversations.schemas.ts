import * as z from "zod";
import { anyOf, documentedChoices } from "../../http/request/choices.ts";
import { channelName } from "../../channels/channel-events.ts";
import {
  boundedText,
  cursorParam,
  EVEN_WITH_OTHER_FAULTS,
  flagParam,
  searchParam,
  idPosition,
  limitParam,
  recordId,
  rowError,
  timestamp,
  utcTime,
} from "../../http/fields.ts";
import { fromJson } from "../../shared/text/json.ts";
import { iso, isoOrNull } from "../../shared/time/iso-times.ts";

export const MAX_LABELS = 20;
const MAX_LABEL = 60;
export const TOO_MANY_LABELS = `A conversation has at most ${MAX_LABELS} labels.`;
const MAX_IDS = 100;

const status = z
  .enum(["open", "done"])
  .meta({ id: "ConversationStatus", description: "A `done` conversation is `open` again when the person writes." });

export const conversationRecord = z.object({
  id: z.string(),
  contact_id: z.string(),
  contact_name: z.string().nullable(),
  contact_phone: z.string().nullable(),
  /** The username at the provider. Shown if the person has no phone number. */
  contact_username: z.string().nullable().default(null),
  connection_id: z.string(),
  channel: channelName,
  last_message: z.string(),
  last_message_at: z.number(),
  unread_count: z.number(),
  status,
  // An earlier version stored replays without `contact_username` and the fields below, so they have defaults.
  assignee_id: z.string().nullable().default(null),
  assignee_name: z.string().nullable().default(null),
  snoozed_until: z.number().nullable().default(null),
  labels: z.array(z.string()).default([]),
  /** 1 if the workspace sent the last message. */
  is_last_ours: z.number().default(0),
  /** Null if the list was requested without authors. */
  last_author_id: z.string().nullable().default(null),
});

export const listedConversation = conversationRecord.extend({ labels: fromJson(z.array(z.string())) });

export type ConversationRecord = z.infer<typeof conversationRecord>;

export const listConversationsQuery = z.strictObject({
  status: status.optional().meta({ description: "Only conversations with this status." }),
  unread: flagParam.optional().meta({ description: "`true`: only conversations with unread messages." }),
  assignee: boundedText(100).optional().meta({
    description: "Only conversations assigned to the member with this id. `none`: only unassigned conversations.",
  }),
  label: boundedText(MAX_LABEL)
    .optional()
    .meta({ description: "Only conversations with this label. Case and accents do not matter." }),
  search: searchParam.meta({
    description:
      "Searches the contact's name, phone, email and company, and finds direct or inbound messages that contain all words of three or more " +
      "characters. Case and accents do not matter; in messages, ß does not match ss, and ø does not match o.",
  }),
  snoozed: flagParam
    .optional()
    .meta({ description: "`true` returns only snoozed conversations, `false` excludes them." }),
  limit: limitParam(),
  cursor: cursorParam(z.tuple([z.number(), idPosition("cnv")])),
});

export type ConversationPosition = readonly [at: number, id: string];

const labels = z.array(boundedText(MAX_LABEL)).max(MAX_LABELS).meta({
  description: "Replaces the labels. If labels differ only in case or accents, the first is kept.",
});

const assigneeId = recordId.nullable();

const needsAChange = {
  error: "Send at least one field to change.",
  ...EVEN_WITH_OTHER_FAULTS,
};

const isAnyGiven = (fields: readonly string[]) => (body: object) => fields.some((name) => Object.hasOwn(body, name));

const changeable = ["status", "assignee_id", "snoozed_until", "labels"];

export const updateConversationBody = z
  .strictObject({
    status: status.meta({ description: "`done` also ends a snooze; `open` reopens the conversation." }),
    assignee_id: assigneeId.meta({ description: "Member to assign. Null unassigns the conversation." }),
    snoozed_until: utcTime().nullable().meta({
      description:
        "Snoozes the conversation until this time in UTC, within 365 days, or until the person writes. Its status stays `open`. Null ends the snooze.",
    }),
    labels,
  })
  .partial()
  .refine(isAnyGiven(changeable), needsAChange)
  .meta(documentedChoices(anyOf(changeable)));

export type ConversationChange = z.infer<typeof updateConversationBody>;

export const undoableFields = z
  .strictObject({ status, assignee_id: assigneeId, snoozed_until: utcTime().nullable() })
  .partial()
  .refine(isAnyGiven(["status", "assignee_id", "snoozed_until"]), needsAChange);

export type UndoableFields = z.infer<typeof undoableFields>;

const changeableInBulk = ["status", "assignee_id", "labels"];

export const bulkUpdateBody = z
  .strictObject({
    ids: z.array(recordId).min(1).max(MAX_IDS),
    status: status.optional(),
    assignee_id: assigneeId.optional(),
    labels: labels.optional(),
  })
  .refine(isAnyGiven(changeableInBulk), needsAChange)
  .meta(documentedChoices(anyOf(changeableInBulk)));

export const labelText = z
  .string()
  .trim()
  .refine((label) => label !== "", { message: "Type a label.", params: { code: "required" } })
  .refine((label) => Array.from(label).length <= MAX_LABEL, {
    message: `A label has at most ${MAX_LABEL} characters.`,
    params: { code: "too_big" },
  })
  .pipe(boundedText(MAX_LABEL));

export const typedLabels = z
  .array(labelText)
  .refine((typed) => typed.length <= MAX_LABELS, { message: TOO_MANY_LABELS, params: { code: "too_big" } });

export const bulkResult = z.strictObject({
  index: z.int(),
  status: z.enum(["updated", "unchanged", "failed"]),
  conversation_id: z.string(),
  error: rowError.nullable(),
});

export const bulkCounts = z.strictObject({ updated: z.int(), unchanged: z.int(), failed: z.int() });

export const startConversationBody = z.strictObject({ contact_id: recordId });

export const markReadBody = z.strictObject({
  receipt: z.boolean().optional().meta({
    description:
      "`false` sends no read receipt. By default, the person receives a receipt if the provider supports receipts.",
  }),
});

export const conversationView = z
  .strictObject({
    id: z.string(),
    contact: z.strictObject({ id: z.string(), name: z.string().nullable(), phone: z.string().nullable() }),
    connection_id: z.string(),
    channel: channelName,
    last_message: z
      .string()
      .nullable()
      .meta({ description: "Latest message from either side, as one readable line. Null before the first message." }),
    last_message_at: timestamp.meta({
      description: "Time of the last message. Before the first message, the time when the conversation was started.",
    }),
    unread_count: z
      .int()
      .meta({ description: "Messages from the person since the conversation was last marked as read." }),
    status,
    assignee: z
      .strictObject({ id: z.string(), name: z.string() })
      .nullable()
      .meta({ description: "Member who is responsible for the conversation." }),
    snoozed_until: timestamp.nullable().meta({ description: "Null if the conversation is not snoozed." }),
    labels: z.array(z.string()),
  })
  .meta({ id: "Conversation" });

export const presentConversation = (record: ConversationRecord): z.infer<typeof conversationView> => ({
  id: record.id,
  contact: { id: record.contact_id, name: record.contact_name, phone: record.contact_phone },
  connection_id: record.connection_id,
  channel: record.channel,
  last_message: record.last_message === "" ? null : record.last_message,
  last_message_at: iso(record.last_message_at),
  unread_count: record.unread_count,
  status: record.status,
  assignee: record.assignee_id === null ? null : { id: record.assignee_id, name: record.assignee_name ?? "" },
  snoozed_until: isoOrNull(record.snoozed_until),
  labels: record.labels,
});
