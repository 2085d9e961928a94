// For a rare text, the text indexes find the matches directly. For a common text, each page examines a limited number
// of conversations.
import { sql, type SQL } from "drizzle-orm";
import * as z from "zod";
import { columns } from "../../../db/columns.ts";
import { contacts, conversations } from "../../../db/schema/index.ts";
import { statement } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { fromJson } from "../../../shared/text/json.ts";
import { isFoundContact, newestHits } from "../../contacts/search/search-contacts.sql.ts";
import { conversationRecord } from "../conversations.schemas.ts";
import { holdsSnooze, isSnoozeOver, recordAsJson } from "../conversations.sql.ts";
import {
  type ConversationFilter,
  latestConversations,
  passesFilter,
  selectSortable,
} from "./list-conversations.sql.ts";
import {
  conversationsOfMatches,
  hasMoreMatches,
  hasWords,
  newestMatches,
  searchedWords,
} from "./search-messages.sql.ts";

const c = columns(contacts, "c");
const v = columns(conversations, "v");

/** If more contacts match, the text is common. Otherwise we look up the conversations of each contact. */
const MAX_CONTACTS = 50;
/** The number of conversations that a page examines for a common text. */
const MAX_EXAMINED = 40;

export interface ConversationSearch extends ConversationFilter {
  search: string;
}

const foundRow = z.object({
  result: fromJson(
    z.object({
      conversations: z.array(conversationRecord),
      examined_to: z.tuple([z.number(), z.string()]).nullable(),
    }),
  ),
});

function hasStatus(ctx: Ctx, { status, snoozed }: ConversationFilter): SQL {
  const until = v.snoozedUntil;
  const conditions = [sql`TRUE`];
  if (snoozed === true) conditions.push(holdsSnooze(until, ctx.now()));
  if (snoozed === false) conditions.push(sql`(${v.status} <> 'snoozed' OR ${isSnoozeOver(until, ctx.now())})`);
  if (status !== undefined) conditions.push(status === "done" ? sql`${v.status} = 'done'` : sql`${v.status} <> 'done'`);
  return sql`(${sql.join(conditions, sql` AND `)})`;
}

/**
 * Selects up to `MAX_CONTACTS + 1` contacts, because the extra contact shows that the text is common. Running this
 * query twice costs less than materializing its result.
 */
const foundContacts = (ctx: Ctx, search: string): SQL => newestHits(ctx, { search, archived: null }, MAX_CONTACTS + 1);

function candidates(ctx: Ctx, filter: ConversationSearch): SQL {
  const passes = sql`${hasStatus(ctx, filter)} AND ${passesFilter(ctx, filter)}`;
  const people = foundContacts(ctx, filter.search);
  const byContact = sql`${selectSortable} FROM (${people}) hit CROSS JOIN conversations v ON ${v.contactSeq} = hit.seq WHERE ${passes}`;
  if (searchedWords(filter.search).length === 0) return byContact;
  return sql`${byContact} UNION ALL
    ${selectSortable} FROM ${conversationsOfMatches} WHERE ${passes} AND ${v.contactSeq} NOT IN (${people})`;
}

export function selectFoundConversations(ctx: Ctx, filter: ConversationSearch) {
  const { search, limit } = filter;
  const words = searchedWords(search);
  const areContactsFew = sql`(SELECT are_few FROM contacts_found)`;
  const hasAnyWord = words.length > 0;
  const isFound = isFoundContact(search, v.contactSeq);
  const [byIndex, most] = [sql`(SELECT by_index FROM search_plan)`, sql`${MAX_EXAMINED}`];
  return statement(
    foundRow,
    sql`
      WITH RECURSIVE contacts_found AS MATERIALIZED (
        SELECT count(*) <= ${MAX_CONTACTS} AS are_few FROM (${foundContacts(ctx, search)})),
      ${hasAnyWord ? sql`${newestMatches(ctx, words, areContactsFew)},` : sql``}
      search_plan AS MATERIALIZED (SELECT ${areContactsFew} ${hasAnyWord ? sql`AND NOT ${hasMoreMatches}` : sql``} AS by_index),
      found AS MATERIALIZED (
        SELECT * FROM (${candidates(ctx, filter)} ORDER BY sort_at DESC, sort_id DESC LIMIT iif(${byIndex}, ${limit + 1}, 0))
        UNION ALL
        SELECT * FROM (
          SELECT * FROM (${latestConversations(ctx, filter, sql`iif(${byIndex}, 0, ${most})`)}) v
          WHERE ${isFound} ${hasAnyWord ? sql`OR ${hasWords(ctx, words)}` : sql``} LIMIT ${limit + 1}))
      SELECT json_object('conversations', (
          SELECT json_group_array(json(${recordAsJson(ctx, filter.hasAuthors)})) FROM found v CROSS JOIN contacts c ON ${c.seq} = ${v.contactSeq}),
        'examined_to', iif(${byIndex}, NULL, iif((SELECT count(*) FROM found) > ${limit}, NULL, (
          SELECT json_array(sort_at, sort_id) FROM (${latestConversations(ctx, filter, most)}) LIMIT 1 OFFSET ${MAX_EXAMINED - 1})))) AS result`,
  );
}
