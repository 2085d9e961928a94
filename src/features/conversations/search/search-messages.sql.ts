// Triggers maintain the index `message_search` (drizzle/0030_message_search.sql).
import { sql, type SQL } from "drizzle-orm";
import * as z from "zod";
import { columns } from "../../../db/columns.ts";
import { ftsPhrase } from "../../../db/idioms.ts";
import { conversations, messages } from "../../../db/schema/index.ts";
import { statement } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { fold } from "../../../shared/text/folding.ts";
import { ID_DIGITS } from "../../../shared/ids.ts";
import { facetDigits } from "../../contacts/contacts.facets.ts";
import { currentContactSeq } from "../../contacts/identity/identify-people.sql.ts";
import { facetDigitsSql } from "../../contacts/search/search-contacts.sql.ts";

const m = columns(messages, "m");
const o = columns(messages, "o");
const message = columns(messages);
const v = columns(conversations, "v");

export const MAX_MATCHES = 20;
/** The index contains groups of three characters, so it cannot find words with fewer characters. */
const SHORTEST_WORD = 3;

/**
 * A rowid of the index encodes the first 10 (the time) and the last 4 characters of a message id, in five bits each.
 * Decodes `count` characters. `shift` is the position of the last character's lowest bit.
 */
const idCharacters = (number: SQL, count: number, shift: number): SQL =>
  sql.join(
    Array.from({ length: count }, (_, index) => {
      const bits = sql.raw(String(shift + 5 * (count - 1 - index)));
      return sql`substr('${sql.raw(ID_DIGITS)}', ((${number} >> ${bits}) & 31) + 1, 1)`;
    }),
    sql` || `,
  );

/**
 * Finds a message by its rowid, which does not contain the 12 characters in the middle of the id. So this lists the
 * different beginnings (26 characters) of the ids of that millisecond, and tries each with the last 4 characters.
 */
function messagesByNumber(number: SQL): SQL {
  const time = sql`'msg_' || ${idCharacters(number, 10, 20)}`;
  const startAfter = (id: SQL) =>
    sql`substr((SELECT min(${message.id}) FROM messages WHERE ${message.id} > ${id} AND ${message.id} < ${time} || '~'), 1, 26)`;
  return sql`messages m ON ${m.id} = (
    WITH RECURSIVE alike (start) AS (
      SELECT ${startAfter(time)} UNION ALL SELECT ${startAfter(sql`alike.start || '~'`)} FROM alike WHERE alike.start IS NOT NULL)
    SELECT ${o.id} FROM alike CROSS JOIN messages o ON ${o.id} = alike.start || ${idCharacters(number, 4, 0)} LIMIT 1)`;
}

/**
 * A hash of the thread, by which the index can filter. Must equal the expression in the view `message_search_source`.
 * There are about 17 million values, so two threads can have the same value.
 */
const threadFacet = (contactSeq: SQL, connectionId: SQL): SQL =>
  sql`'c' || ${facetDigitsSql(sql`((${contactSeq} % 4294967296 * 7368787
  + unicode(substr(${connectionId}, -1)) * 10368889 + unicode(substr(${connectionId}, -2)) * 5462513) % 16777213)`)}`;

/** The tokenizer folds accents and case, but not letters such as ß, so we search for both spellings. */
const spellingsOf = (word: string): string[] => [...new Set([word.normalize("NFC").toLowerCase(), fold(word)])];

/** Punctuation around a word is not part of the word: “invoice” must also find a message without the quotes. */
const AROUND_A_WORD = /^[^\p{L}\p{M}\p{N}\p{S}]+|[^\p{L}\p{M}\p{N}\p{S}]+$/gu;
/** Used if `AROUND_A_WORD` would leave too few characters. For example, “50%” keeps its %. */
const AROUND_A_SHORT_WORD = /^[\p{Ps}\p{Pi}"']+|[\p{Pe}\p{Pf}"',.;:!?]+$/gu;

const isLongEnough = (word: string): boolean => Array.from(fold(word)).length >= SHORTEST_WORD;

const bareWord = (word: string): string =>
  [AROUND_A_WORD, AROUND_A_SHORT_WORD].map((around) => word.replace(around, "")).find(isLongEnough) ?? word;

export const searchedWords = (search: string): string[] => search.split(/\s+/u).map(bareWord).filter(isLongEnough);

function wordsQuery(ctx: Ctx, words: readonly string[]): string {
  const terms = words.map((word) => {
    const phrases = spellingsOf(word).map((each) => `t:${ftsPhrase(each)}`);
    return `(${phrases.join(" OR ")})`;
  });
  return `(f:${ftsPhrase(`w${facetDigits(ctx.workspace.number)}`)} AND ${terms.join(" AND ")})`;
}

/**
 * Finds the newest match of each conversation, up to `most` conversations. Each step searches outside the conversations that are
 * already found, so that one long conversation does not hide others. Does not return the ids of conversations that do not pass.
 */
export function newestMatches(ctx: Ctx, words: readonly string[], most: SQL, passes: SQL): SQL {
  const query = wordsQuery(ctx, words);
  const found = sql`match.found || ' NOT f:"' || ${threadFacet(m.contactSeq, m.connectionId)} || '"'`;
  return sql`match (message_id, conversation_id, last_message_at, step, found, next) AS NOT MATERIALIZED (
    SELECT NULL, NULL, NULL, 0, '', (SELECT rowid FROM message_search WHERE message_search MATCH ${query} ORDER BY rowid DESC LIMIT 1)
    WHERE ${most} > 0
    UNION ALL
    SELECT ${m.id}, ${v.id}, ${v.lastMessageAt}, match.step + 1, ${found}, (
      SELECT rowid FROM message_search WHERE message_search MATCH ${query} || ${found} AND rowid < match.next ORDER BY rowid DESC LIMIT 1)
    FROM match CROSS JOIN ${messagesByNumber(sql`match.next`)} LEFT JOIN conversations v INDEXED BY conversations_of_contact
      ON ${v.contactSeq} = ${currentContactSeq(m.contactSeq)} AND ${v.connectionId} = ${m.connectionId} AND ${passes}
    WHERE match.step < ${most} AND match.next IS NOT NULL)`;
}

export const hasWords = (ctx: Ctx, words: readonly string[]): SQL => sql`EXISTS (
  SELECT 1 FROM message_search WHERE message_search MATCH
    ${wordsQuery(ctx, words)} || ' AND f:"' || ${threadFacet(v.contactSeq, v.connectionId)} || '"')`;

const matchRow = z.object({
  conversation_id: z.string(),
  body: z.string(),
  from_contact: z.int(),
  author_id: z.string().nullable(),
});

export type MatchingMessage = z.infer<typeof matchRow>;

export const selectMatches = (ctx: Ctx, words: readonly string[]) =>
  statement(
    matchRow,
    sql`
      WITH RECURSIVE ${newestMatches(ctx, words, sql`${MAX_MATCHES}`, sql`${v.workspaceId} = ${ctx.workspace.id}`)}
      SELECT match.conversation_id AS conversation_id, ${m.body} AS body, ${m.fromContact} AS from_contact, ${m.authorId} AS author_id
      FROM match CROSS JOIN messages m ON ${m.id} = match.message_id WHERE match.conversation_id IS NOT NULL`,
  );
