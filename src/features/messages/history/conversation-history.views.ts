import * as z from "zod";
import { timestamp } from "../../../http/fields.ts";
import { hasOwn } from "../../../shared/security/own.ts";
import type { HistoryRecord } from "../messages.sql.ts";
import { messageDelivery, toDelivery } from "../messages.states.ts";
import { fromContact, presentCommonFields, commonFields, withContent } from "../messages.views.ts";
import { noteAuthor, noteMentions, type NoteRecord, presentAuthor } from "../notes/notes.schemas.ts";
import { iso } from "../../../shared/time/iso-times.ts";

export const historyView = z
  .strictObject({
    id: z.string(),
    body: z.string(),
    from_contact: fromContact,
    delivery: messageDelivery.nullable().meta({ description: "Null for notes, because notes are never sent." }),
    created_at: timestamp,
    ...commonFields,
    author: noteAuthor.nullable().meta({ description: "Author of a note." }),
    mentions: noteMentions,
  })
  .meta({ id: "ConversationMessage", ...withContent });

const presentHistoryMessage = (record: HistoryRecord): z.infer<typeof historyView> => ({
  id: record.id,
  body: record.body,
  from_contact: record.from_contact,
  delivery: toDelivery(record.state),
  created_at: iso(record.created_at),
  ...presentCommonFields(record),
  author: null,
  mentions: [],
});

export const presentNote = (record: NoteRecord): z.infer<typeof historyView> => ({
  id: record.id,
  body: record.body,
  from_contact: false,
  delivery: null,
  created_at: iso(record.created_at),
  type: "note",
  content: record.body,
  reply_to: null,
  reply_to_provider_id: null,
  reactions: [],
  sent_by: "workspace",
  standby: false,
  forwarded: false,
  referral: null,
  metadata: null,
  send_at: null,
  cost: null,
  edited_at: null,
  revoked_at: null,
  author: presentAuthor(record),
  mentions: record.mentions,
});

export const presentHistory = (record: HistoryRecord | NoteRecord): z.infer<typeof historyView> =>
  hasOwn(record, "author_type") ? presentNote(record) : presentHistoryMessage(record);
