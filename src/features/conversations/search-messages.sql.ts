// The search over words of messages. The index `message_search` is kept by triggers (drizzle/0030_message_search.sql).
import * as z from "zod";
import { sql } from "../../db/sql.ts";
import { type SQL, statement, type Statement } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { fold } from "../../shared/folding.ts";
import { currentContactSeq } from "../contacts/identify-people.sql.ts";

/** Conversations that a search finds by words: those in which the words were written last. */
const SEARCHED_CONVERSATIONS = 20;
/** The index holds trigrams: a shorter word is not looked for. */
const SHORTEST_WORD = 3;

const ID_DIGITS = "0123456789abcdefghjkmnpqrstvwxyz";
const FIRST_FACET_DIGIT = 19_968;
const FACET_BASE = 4096;

/** Characters of a message's id from its number in the index, whose bits from `shift` on are the last one. */
const idCharacters = (number: SQL, count: number, shift: number): SQL =>
  sql.join(
    Array.from({ length: count }, (_, index) => {
      const bits = sql.raw(String(shift + 5 * (count - 1 - index)));
      return sql`substr('${sql.raw(ID_DIGITS)}', ((${number} >> ${bits}) & 31) + 1, 1)`;
    }),
    sql` || `,
  );

/** The messages `m` with this number in the index: one, found among those of its millisecond. */
const messagesByNumber = (number: SQL): SQL => sql`
  messages m ON m.id BETWEEN 'msg_' || ${idCharacters(number, 10, 20)} AND 'msg_' || ${idCharacters(number, 10, 20)} || '~'
    AND substr(m.id, -4) = ${idCharacters(number, 4, 0)}`;

const facetDigitsOf = (number: SQL): SQL => {
  const [first, base] = [sql.raw(String(FIRST_FACET_DIGIT)), sql.raw(String(FACET_BASE))];
  return sql`char(${first} + ${number} / ${base}, ${first} + ${number} % ${base})`;
};

/** The token of the thread of a message `m`, as the view `message_search_source` makes it. */
const threadFacet = sql`'c' || ${facetDigitsOf(sql`((m.contact_seq % 4294967296 * 7368787
  + unicode(substr(m.connection_id, -1)) * 10368889 + unicode(substr(m.connection_id, -2)) * 5462513) % 16777213)`)}`;

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

/** A word as the index may have it: the tokenizer folds accents and case, not letters such as ß. */
const spellingsOf = (word: string): string[] => [...new Set([word.normalize("NFC").toLowerCase(), fold(word)])];

/** The words that a search looks for in messages; none of a short one. */
export const searchedWords = (search: string): string[] =>
  search.split(/\s+/u).filter((word) => Array.from(fold(word)).length >= SHORTEST_WORD);

/** The FTS5 query for messages of the workspace with all of the words. Every term is a quoted phrase: nothing sent is syntax. */
function wordsQuery(ctx: Ctx, words: readonly string[]): string {
  const { number } = ctx.workspace;
  const digits = [Math.floor(number / FACET_BASE), number % FACET_BASE].map((digit) => FIRST_FACET_DIGIT + digit);
  const terms = words.map(
    (word) =>
      `(${spellingsOf(word)
        .map((each) => `t:${quoted(each)}`)
        .join(" OR ")})`,
  );
  return `(f:${quoted(`w${String.fromCodePoint(...digits)}`)} AND ${terms.join(" AND ")})`;
}

/**
 * The numbers, as `number`, of the newest message with the words in each conversation, for the conversations with the newest ones. Each
 * step leaves out the conversations that were found, so that a chatty one hides no other.
 */
function newestMatches(ctx: Ctx, words: readonly string[]): SQL {
  const query = wordsQuery(ctx, words);
  const found = sql`hit.found || ' NOT f:"' || ${threadFacet} || '"'`;
  return sql`
    WITH RECURSIVE hit (number, step, found) AS (
      SELECT (SELECT rowid FROM message_search WHERE message_search MATCH ${query} ORDER BY rowid DESC LIMIT 1), 1, ''
      UNION ALL
      SELECT (SELECT rowid FROM message_search WHERE message_search MATCH ${query} || ${found} AND rowid < hit.number
          ORDER BY rowid DESC LIMIT 1), hit.step + 1, ${found}
      FROM hit CROSS JOIN ${messagesByNumber(sql`hit.number`)} WHERE hit.step < ${SEARCHED_CONVERSATIONS})
    SELECT number FROM hit WHERE number IS NOT NULL`;
}

/** The conversations `v` of matches, and the message `m` of each. The plus keeps SQLite from making an index of all messages. */
export const conversationsOfMatches = (ctx: Ctx, words: readonly string[]): SQL => sql`
  (${newestMatches(ctx, words)}) matched
  CROSS JOIN ${messagesByNumber(sql`matched.number`)} AND +m.workspace_id = ${ctx.workspace.id}
  CROSS JOIN conversations v ON v.contact_seq = ${currentContactSeq(sql`m.contact_seq`)} AND v.connection_id = m.connection_id`;

const matchRow = z.object({ conversation_id: z.string(), body: z.string() });

/** Of each conversation that a search finds by words, the newest message that has them. */
export const selectMatches = (ctx: Ctx, words: readonly string[]): Statement<z.infer<typeof matchRow>> =>
  statement(matchRow, sql`SELECT v.id AS conversation_id, m.body AS body FROM ${conversationsOfMatches(ctx, words)}`);
