import { sql } from "drizzle-orm";
import { timedBatch } from "../../db/client.ts";
import type { SQL } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { baseSeq, lastSeq, numbersGiven, SEQ_RANGE } from "./contacts.sql.ts";
import { facetDigits, searchPhrases, sourceToken } from "./contacts.folding.ts";
import { contactPage } from "./list-contacts.sql.ts";

export interface ContactFilter {
  search?: string | undefined;
  /** Key of a tag's name. */
  tagKey?: string | undefined;
  source?: string | undefined;
  status?: string | undefined;
  /** Null for both. */
  archived: boolean | null;
}

export interface ContactPage {
  limit: number;
  offset: number;
  /** Continue below this contact number. */
  below: number | undefined;
  includeTotal: boolean;
}

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
const facet = (token: string) => `f:${quoted(token)}`;

/** What never stands in the index: the answer to an unknown tag or a term that folds to nothing. */
const NOTHING = facet("\u0003\u0003\u0003");

/** The FTS5 query of a filter; every term is a quoted phrase, so nothing a caller sends is syntax. */
function matchOf(ctx: Ctx, { search: term, tagKey, source, status, archived }: ContactFilter): SQL {
  const ofWorkspace = (letter: string) => facet(`${letter}${facetDigits(ctx.workspace.number)}`);
  const terms = [
    archived === null ? `(${ofWorkspace("l")} OR ${ofWorkspace("x")})` : ofWorkspace(archived ? "x" : "l"),
  ];
  if (status !== undefined) terms.push(facet(`s${status.slice(0, 2)}`));
  if (source !== undefined) terms.push(facet(`o${sourceToken(source)}`));
  if (term !== undefined) {
    const phrases = searchPhrases(term).map((phrase) => `t:${quoted(phrase)}`);
    terms.push(phrases.length === 0 ? NOTHING : `(${phrases.join(" OR ")})`);
  }
  const known = terms.join(" AND ");
  if (tagKey === undefined) return sql`${known}`;
  const token = sql`(SELECT 't' || char(19968 + number / 4096, 19968 + number % 4096) FROM tags
    WHERE workspace_id = ${ctx.workspace.id} AND name_key = ${tagKey} AND deleted_at IS NULL)`;
  return sql`${`${known} AND `} || coalesce('f:"' || ${token} || '"', ${NOTHING})`;
}

/** Contact numbers: below the first `from` of those up to `high`, as far as its first `to`. */
interface Span {
  /** Null for the workspace's newest. */
  high: number | null;
  from: number;
  to: number;
}

/** What of the index passes a filter within a span, by `rowid`: the contact's number. */
function hitsOf(ctx: Ctx, filter: ContactFilter, { high, from, to }: Span): SQL {
  const base = baseSeq(ctx);
  const top = high === null ? lastSeq(ctx) : sql`${high}`;
  // Without the CAST a bound number is REAL, and FTS5 reads past the range.
  return sql`contact_search WHERE contact_search MATCH ${matchOf(ctx, filter)}
    AND rowid BETWEEN CAST(max(${base}, ${top} - ${to} + 1) AS INTEGER) AND CAST(${top} - ${from} AS INTEGER)`;
}

/** What passes a filter below a contact number, newest first. */
const newestOf = (ctx: Ctx, filter: ContactFilter, limit: number, offset = 0, below = Infinity): SQL => {
  const high = Math.min(below, baseSeq(ctx) + SEQ_RANGE) - 1;
  const all = { high, from: 0, to: SEQ_RANGE };
  return sql`SELECT rowid AS seq FROM ${hitsOf(ctx, filter, all)} ORDER BY rowid DESC LIMIT ${limit} OFFSET ${offset}`;
};

/** The numbers `seq` of the contacts that pass a filter: the newest, at most `limit`. */
export const newestHits = (ctx: Ctx, filter: ContactFilter, limit: number): SQL => newestOf(ctx, filter, limit);

/**
 * Newest first, one contact beyond `limit`; where a total is asked for, one row with the `count` of the newest `counted` numbers and
 * how many are given. One trip.
 */
export async function search(ctx: Ctx, filter: ContactFilter, page: ContactPage, counted: number) {
  const { limit, offset, below, includeTotal } = page;
  const newest = { high: null, from: 0, to: counted };
  const { rows, sqlMs } = await timedBatch(ctx.db, [
    contactPage(ctx, newestOf(ctx, filter, limit + 1, offset, below), limit + 1),
    ...(includeTotal
      ? [sql`SELECT count(*) AS count, ${numbersGiven(ctx)} AS given FROM ${hitsOf(ctx, filter, newest)}`]
      : []),
  ]);
  const [found, total] = rows;
  return { found, total, sqlMs };
}

/** One row: how many pass within a span. */
export async function countSpan(ctx: Ctx, filter: ContactFilter, span: Span) {
  const { rows, sqlMs } = await timedBatch(ctx.db, [sql`SELECT count(*) AS count FROM ${hitsOf(ctx, filter, span)}`]);
  return { found: rows[0], sqlMs };
}
