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
import { type ConversationFilter, latestConversations, passesFilter } from "./list-conversations.sql.ts";
import { hasWords, MAX_MATCHES, newestMatches, searchedWords } from "./search-messages.sql.ts";

const c = columns(contacts, "c");
const v = columns(conversations, "v");

/** If more contacts match, the text is common. Otherwise we look up the conversations of each contact. */
const MAX_CONTACTS = 50;
const READ_PER_MATCH = 6;
/** Rows that a page of a common text may read, without its results. A result costs up to five more rows. */
const MAX_READ = 180;
const READ_PER_EXAMINED = 2;
const MAX_EXAMINED = 40;
const MIN_EXAMINED = 5;

export interface ConversationSearch extends ConversationFilter {
  search: string;
  /** True if an earlier page has found that the text is common. */
  isCommon: boolean;
}

const foundRow = z.object({
  result: fromJson(
    z.object({
      conversations: z.array(conversationRecord),
      /** The last conversation that the search has examined. Null if there are no more. */
      examined_to: z.tuple([z.number(), z.string()]).nullable(),
      is_common: z.number(),
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
 * Finds the conversations of matching contacts. Reads one contact more than the limit: if there is one, the text is
 * common. `times` is JSON of the times of conversations by id, because an object contains each id only once. SQLite
 * reads two rows to find a contact's only conversation.
 */
const ofContacts = (ctx: Ctx, search: string, passes: SQL): SQL => sql`
  SELECT count(DISTINCT hit.seq) <= ${MAX_CONTACTS} AS are_all, count(DISTINCT hit.seq) + 2 * count(${v.id}) AS rows_read,
    json_group_object(${v.id}, ${v.lastMessageAt}) FILTER (WHERE ${v.id} IS NOT NULL AND ${passes}) AS times
  FROM (${newestHits(ctx, { search, archived: null }, MAX_CONTACTS + 1)}) hit
  LEFT JOIN conversations v INDEXED BY conversations_of_contact ON ${v.contactSeq} = hit.seq`;

const ofMatches = (most: SQL): SQL => sql`
  SELECT total(step = ${most} AND next IS NOT NULL) = 0 AS are_all, ${READ_PER_MATCH} * count(*) AS rows_read,
    json_group_object(conversation_id, last_message_at) FILTER (WHERE conversation_id IS NOT NULL) AS times
  FROM match`;

const ofNoMatches = sql`SELECT TRUE AS are_all, 0 AS rows_read, '{}' AS times`;

const jsonOfRecord = (ctx: Ctx, { hasAuthors }: ConversationFilter): SQL => sql`json(${recordAsJson(ctx, hasAuthors)})`;

/**
 * The time of each position has 16 digits, so that the least text is the last position. ORDER BY in an aggregate would
 * read each row again.
 */
const lastPosition = sql`min(printf('%016d', v.sort_at) || v.sort_id)`;

/** Selects the found conversations among the latest ones. Reads each row once, because a materialized row counts again. */
function examineLatest(ctx: Ctx, filter: ConversationSearch, most: SQL, isOfContact: SQL): SQL {
  const words = searchedWords(filter.search);
  const isFound = words.length === 0 ? isOfContact : sql`(${isOfContact} OR ${hasWords(ctx, words)})`;
  const isLast = sql`count(*) < ${most}`;
  return sql`
    SELECT json_object(
      'conversations', json_group_array(${jsonOfRecord(ctx, filter)}) FILTER (WHERE ${c.seq} IS NOT NULL),
      'examined_to', iif(${isLast}, NULL, json_array(CAST(substr(${lastPosition}, 1, 16) AS INTEGER), substr(${lastPosition}, 17))),
      'is_common', 1) AS result
    FROM (${latestConversations(ctx, filter, most)}) v LEFT JOIN contacts c ON ${c.seq} = iif(${isFound}, ${v.contactSeq}, NULL)`;
}

/** `times` is JSON of the times of conversations by id. */
const selectLatest = (ctx: Ctx, filter: ConversationSearch, times: SQL): SQL => sql`
  SELECT json_object('conversations', json_group_array(${jsonOfRecord(ctx, filter)}), 'examined_to', NULL, 'is_common', 0)
  FROM (SELECT key AS id FROM json_each(${times}) ORDER BY value DESC, key DESC LIMIT ${filter.limit + 1}) hit
  CROSS JOIN conversations v ON ${v.id} = hit.id CROSS JOIN contacts c ON ${c.seq} = ${v.contactSeq}`;

export function selectFoundConversations(ctx: Ctx, filter: ConversationSearch) {
  const { search, isCommon } = filter;
  const holdsSearch = isFoundContact(search, v.contactSeq);
  if (isCommon) return statement(foundRow, examineLatest(ctx, filter, sql`${MAX_EXAMINED}`, holdsSearch));
  const words = searchedWords(search);
  const passes = sql`${hasStatus(ctx, filter)} AND ${passesFilter(ctx, filter)}`;
  const mostMatches = sql`(SELECT iif(are_all, ${MAX_MATCHES}, 0) FROM of_contacts)`;
  const examined = sql`CAST((${MAX_READ} - of_contacts.rows_read - of_matches.rows_read) / ${READ_PER_EXAMINED} AS INTEGER)`;
  const [withMatches, matches] =
    words.length === 0
      ? [sql``, ofNoMatches]
      : [sql`${newestMatches(ctx, words, mostMatches, passes)},`, ofMatches(mostMatches)];
  const isOfContact = sql`iif((SELECT are_all FROM of_contacts),
    (SELECT times FROM of_contacts) -> ('$."' || ${v.id} || '"') IS NOT NULL, ${holdsSearch})`;
  return statement(
    foundRow,
    sql`
      WITH RECURSIVE of_contacts AS MATERIALIZED (${ofContacts(ctx, search, passes)}),
      ${withMatches}
      of_matches AS MATERIALIZED (${matches}),
      search_plan AS MATERIALIZED (
        SELECT of_contacts.are_all AND of_matches.are_all AS are_all, json_patch(of_contacts.times, of_matches.times) AS times,
          max(${MIN_EXAMINED}, min(${MAX_EXAMINED}, ${examined})) AS examined
        FROM of_contacts CROSS JOIN of_matches)
      SELECT iif((SELECT are_all FROM search_plan),
        (${selectLatest(ctx, filter, sql`(SELECT times FROM search_plan)`)}),
        (${examineLatest(ctx, filter, sql`(SELECT examined FROM search_plan)`, isOfContact)})) AS result`,
  );
}
