import { sql, type SQL } from "drizzle-orm";
import * as z from "zod";
import { columns } from "../../db/columns.ts";
import { campaigns, contacts, conversations, messages } from "../../db/schema/index.ts";
import { statement, type RowsByName, transact } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { isLeftUnsent, recipientStateName } from "../messages/campaign-messages.sql.ts";
import { recipientRecord } from "../campaigns/campaigns.schemas.ts";

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

const m = columns(messages, "m");
const c = columns(contacts, "c");
const p = columns(campaigns, "p");
const v = columns(conversations, "v");

const MAX_CAMPAIGNS = 20;
/** No index lists a contact's messages by campaign, so we look for campaigns in this many of the latest messages. */
const SEARCHED_MESSAGES = 100;

const receivedCampaign = z.object({
  id: z.string(),
  name: z.string(),
  state: recipientRecord.shape.state,
  at: z.number(),
});

type ReceivedCampaign = z.infer<typeof receivedCampaign>;

/** Raw SQL, because CROSS JOIN makes SQLite read the latest messages before their campaigns. */
const selectReceivedCampaigns = (ctx: Ctx, contactId: string | SQL) =>
  statement(
    receivedCampaign,
    sql`
      SELECT ${p.id} AS id, ${p.name} AS name, iif(${isLeftUnsent(m, p)}, 'skipped', ${recipientStateName(m)}) AS state,
        max(${m.createdAt}, coalesce(${m.sentAt}, 0)) AS at
      FROM (
        SELECT ${m.id} FROM contacts c CROSS JOIN messages m ON ${m.contactSeq} = ${c.seq}
        WHERE ${c.id} = ${contactId} AND ${c.workspaceId} = ${ctx.workspace.id}
        ORDER BY ${m.id} DESC LIMIT ${SEARCHED_MESSAGES}) latest
      CROSS JOIN messages m ON ${m.id} = latest.id CROSS JOIN campaigns p ON ${p.id} = ${m.campaignId}
      WHERE ${p.workspaceId} = ${ctx.workspace.id} GROUP BY ${p.id} ORDER BY max(${m.id}) DESC LIMIT ${MAX_CAMPAIGNS}`,
  );

const contactIdByConversation = (ctx: Ctx, id: string): SQL => sql`(
  SELECT ${c.id} FROM conversations v CROSS JOIN contacts c ON ${c.seq} = ${v.contactSeq}
  WHERE ${v.id} = ${id} AND ${v.workspaceId} = ${ctx.workspace.id})`;

const MAX_CONVERSATIONS = 50;
const MAX_CONNECTIONS = 100;

export interface ContactProfile extends ContactAnswer {
  fields: CustomFieldRecord[];
  conversations: ConversationRecord[];
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
  return {
    ...found.result,
    fields: rows.fields,
    conversations: rows.conversations,
    campaigns: rows.campaigns,
    connections: rows.connections,
  };
}

export async function getContactProfile(ctx: Ctx, contactId: string): Promise<ContactProfile> {
  const profile = readProfile(await transact(ctx.db, profileEntries(ctx, contactId)));
  if (profile === null) throw await contactNotFound(ctx, contactId);
  return profile;
}

export async function openConversation(
  ctx: Ctx,
  id: string,
  page: { limit: number; before: string | undefined },
): Promise<{ thread: Thread; profile: ContactProfile }> {
  const { entries, read } = prepareThread(ctx, id, page);
  const rows = await transact(ctx.db, { ...entries, ...profileEntries(ctx, contactIdByConversation(ctx, id)) });
  const thread = await read(rows);
  const profile = readProfile(rows) ?? (await getContactProfile(ctx, thread.conversation.contact_id));
  return { thread, profile };
}
