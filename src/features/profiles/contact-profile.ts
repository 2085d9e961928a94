// A contact with its custom fields, its conversations and the campaigns that it received.
import { type RowsByName, type SQL, transact } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import type { Connection } from "../connections/connections.schemas.ts";
import { selectConnections } from "../connections/connections.sql.ts";
import type { ContactAnswer } from "../contacts/contacts.schemas.ts";
import { contactNotFound } from "../contacts/contacts.service.ts";
import { selectContact } from "../contacts/contacts.sql.ts";
import type { ConversationRecord } from "../conversations/conversations.schemas.ts";
import { selectConversationsByContact } from "../conversations/conversations.sql.ts";
import { MAX_CUSTOM_FIELDS } from "../custom-fields/custom-fields.changes.ts";
import type { CustomFieldRecord } from "../custom-fields/custom-fields.schemas.ts";
import { selectCustomFields } from "../custom-fields/custom-fields.sql.ts";
import { prepareThread, type Thread } from "../messages/history/open-thread.ts";
import { contactIdByConversation, type ReceivedCampaign, selectReceivedCampaigns } from "./contact-profile.sql.ts";

const MAX_CONVERSATIONS = 50;
const MAX_CONNECTIONS = 100;

export interface ContactProfile extends ContactAnswer {
  fields: CustomFieldRecord[];
  /** Latest first. */
  conversations: ConversationRecord[];
  /** Latest first. */
  campaigns: ReceivedCampaign[];
  connections: Connection[];
}

const profileEntries = (ctx: Ctx, contactId: string | SQL) => ({
  contacts: selectContact(ctx, contactId),
  fields: selectCustomFields(ctx, MAX_CUSTOM_FIELDS, undefined),
  conversations: selectConversationsByContact(ctx, contactId, MAX_CONVERSATIONS),
  campaigns: selectReceivedCampaigns(ctx, contactId),
  connections: selectConnections(ctx, MAX_CONNECTIONS, undefined),
});

function readProfile(rows: RowsByName<ReturnType<typeof profileEntries>>): ContactProfile | null {
  const [found] = rows.contacts;
  if (found === undefined) return null;
  const { fields, conversations, campaigns, connections } = rows;
  return { ...found.result, fields, conversations, campaigns, connections };
}

/** One round trip. Throws `not_found`. */
export async function getContactProfile(ctx: Ctx, contactId: string): Promise<ContactProfile> {
  const profile = readProfile(await transact(ctx.db, profileEntries(ctx, contactId)));
  if (profile === null) throw await contactNotFound(ctx, contactId);
  return profile;
}

/**
 * Opens a conversation with the person's profile for a member and marks it read, in one round trip. Then sends the read receipt;
 * throws `not_found`.
 */
export async function openConversation(
  ctx: Ctx,
  id: string,
  page: { limit: number; before: string | undefined },
): Promise<{ thread: Thread; profile: ContactProfile }> {
  const { entries, read } = prepareThread(ctx, id, page);
  const { unread, markRead, opened, replyChecks, messages, notes, ...rows } = await transact(ctx.db, {
    ...entries,
    ...profileEntries(ctx, contactIdByConversation(ctx, id)),
  });
  const thread = await read({ unread, markRead, opened, replyChecks, messages, notes });
  const profile = readProfile(rows) ?? (await getContactProfile(ctx, thread.conversation.contact_id));
  return { thread, profile };
}
