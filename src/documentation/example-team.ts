// Examples of records in the documentation: notes and canned replies of members.
import type * as z from "zod";
import type { cannedReplyView } from "../features/canned-replies/canned-replies.schemas.ts";
import type { memberSummary } from "../features/members/members.schemas.ts";
import type { noteAuthor, noteSummary } from "../features/messages/notes/notes.schemas.ts";
import type { historyView } from "../features/messages/history/conversation-history.views.ts";
import { exampleIds as id, exampleMember, CREATED_AT } from "./example-ids.ts";

const cannedReply: z.input<typeof cannedReplyView> = {
  id: id.cannedReply,
  shortcut: "hours",
  body: "Hello {{first_name|there}}, we are open from 9 to 18 h.",
  variables: ["first_name"],
  created_at: CREATED_AT,
  updated_at: CREATED_AT,
};

const member: z.input<typeof memberSummary> = { ...exampleMember, role: "admin" };

const author: z.input<typeof noteAuthor> = { type: "member", ...exampleMember };

const note: z.input<typeof noteSummary> = {
  id: id.note,
  conversation_id: id.conversation,
  contact_id: id.contact,
  author,
  mentions: [exampleMember],
  created_at: CREATED_AT,
};

/** A note among the messages of its conversation. */
export const exampleNote: z.input<typeof historyView> = {
  id: note.id,
  type: "note",
  body: "Called back. @Nora Berg please send the invoice.",
  content: "Called back. @Nora Berg please send the invoice.",
  from_contact: false,
  delivery: null,
  created_at: CREATED_AT,
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
  author,
  mentions: note.mentions,
};

/** By component name. */
export const exampleTeam = { MemberSummary: member, CannedReply: cannedReply, NoteAuthor: author, Note: note };
