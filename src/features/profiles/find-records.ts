import { desc, eq, sql } from "drizzle-orm";
import * as z from "zod";
import { columns } from "../../db/columns.ts";
import { campaigns, contacts, conversations } from "../../db/schema/index.ts";
import { statement, transact } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { newestHits } from "../contacts/search/search-contacts.sql.ts";
import { fold } from "../../shared/text/folding.ts";

const c = columns(contacts, "c");
const v = columns(conversations, "v");

const MAX_FOUND = 6;
const SEARCHED_CAMPAIGNS = 200;

const foundContact = z.object({
  id: z.string(),
  name: z.string().nullable(),
  phone: z.string().nullable(),
  email: z.string().nullable(),
  conversation_id: z.string().nullable(),
});

/** Raw SQL fixes the order of the join: SQLite must read the search index before the contacts. */
const selectFoundContacts = (ctx: Ctx, term: string) =>
  statement(
    foundContact,
    sql`
      SELECT ${c.id} AS id, ${c.name} AS name, ${c.phone} AS phone, ${c.email} AS email, (
        SELECT ${v.id} FROM conversations v WHERE ${v.contactSeq} = ${c.seq} ORDER BY ${v.lastMessageAt} DESC LIMIT 1) AS conversation_id
      FROM (${newestHits(ctx, { search: term, archived: false }, MAX_FOUND)}) hit CROSS JOIN contacts c ON ${c.seq} = hit.seq
      ORDER BY ${c.seq} DESC`,
  );

/** SQLite ignores case only for ASCII. We therefore load the latest campaigns and compare the names in code. */
const selectLatestCampaigns = (ctx: Ctx) =>
  ctx.db
    .select({ id: campaigns.id, name: campaigns.name, status: campaigns.status })
    .from(campaigns)
    .where(eq(campaigns.workspaceId, ctx.workspace.id))
    .orderBy(desc(campaigns.id))
    .limit(SEARCHED_CAMPAIGNS);

export async function findRecords(ctx: Ctx, term: string) {
  const found = await transact(ctx.db, {
    contacts: selectFoundContacts(ctx, term),
    campaigns: selectLatestCampaigns(ctx),
  });
  const sought = fold(term);
  const matches = sought === "" ? [] : found.campaigns.filter(({ name }) => fold(name).includes(sought));
  return { contacts: found.contacts, campaigns: matches.slice(0, MAX_FOUND) };
}
