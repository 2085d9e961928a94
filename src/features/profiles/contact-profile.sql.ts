import { sql } from "drizzle-orm";
import * as z from "zod";
import { columns } from "../../db/columns.ts";
import { campaigns, contacts, conversations, messages } from "../../db/schema/index.ts";
import { type SQL, statement, type Statement } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { isLeftUnsent, recipientStateName } from "../messages/campaign-messages.sql.ts";
import { recipientRecord } from "../campaigns/campaigns.schemas.ts";

const m = columns(messages, "m");
const c = columns(contacts, "c");
const p = columns(campaigns, "p");
const v = columns(conversations, "v");

const MAX_CAMPAIGNS = 20;
/**
 * How many latest messages are searched, because no index has a contact's messages by campaign. A campaign sends one message to a
 * contact.
 */
const MAX_MESSAGES = 100;

const receivedCampaign = z.object({
  id: z.string(),
  name: z.string(),
  state: recipientRecord.shape.state,
  at: z.number(),
});

export type ReceivedCampaign = z.infer<typeof receivedCampaign>;

/** The campaigns of a contact's latest messages, latest first, with the state of the message. */
export const selectReceivedCampaigns = (ctx: Ctx, contactId: string | SQL): Statement<ReceivedCampaign> =>
  statement(
    receivedCampaign,
    sql`
      SELECT ${p.id} AS id, ${p.name} AS name, iif(${isLeftUnsent(m, p)}, 'skipped', ${recipientStateName(m)}) AS state,
        max(${m.createdAt}, coalesce(${m.sentAt}, 0)) AS at
      FROM (
        SELECT ${m.id} FROM contacts c CROSS JOIN messages m ON ${m.contactSeq} = ${c.seq}
        WHERE ${c.id} = ${contactId} AND ${c.workspaceId} = ${ctx.workspace.id}
        ORDER BY ${m.id} DESC LIMIT ${MAX_MESSAGES}) latest
      CROSS JOIN messages m ON ${m.id} = latest.id CROSS JOIN campaigns p ON ${p.id} = ${m.campaignId}
      WHERE ${p.workspaceId} = ${ctx.workspace.id} GROUP BY ${p.id} ORDER BY max(${m.id}) DESC LIMIT ${MAX_CAMPAIGNS}`,
  );

/** The contact id of a conversation, in SQL. */
export const contactIdByConversation = (ctx: Ctx, id: string): SQL => sql`(
  SELECT ${c.id} FROM conversations v CROSS JOIN contacts c ON ${c.seq} = ${v.contactSeq}
  WHERE ${v.id} = ${id} AND ${v.workspaceId} = ${ctx.workspace.id})`;
