import { sql } from "drizzle-orm";
import { batch, type SQL } from "../../db/client.ts";
import type { Ctx } from "../../shared/context.ts";
import { contactJson, layoutJson, SEQ_RANGE } from "./contacts.repository.ts";
import { facetDigits, searchPhrases, sourceToken } from "./contacts.folding.ts";

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

/** What of the index passes a filter, by `rowid`: the number of a contact below `below`. */
function hitsOf(ctx: Ctx, filter: ContactFilter, below?: number): SQL {
  const base = ctx.workspace.number * SEQ_RANGE;
  // Without the CAST a bound number is REAL, and FTS5 reads past the range.
  return sql`contact_search WHERE contact_search MATCH ${matchOf(ctx, filter)}
    AND rowid BETWEEN CAST(${base} AS INTEGER) AND CAST(${(below ?? base + SEQ_RANGE) - 1} AS INTEGER)`;
}

/** The numbers `seq` of the contacts that pass a filter: the newest, at most `limit`. */
export const newestHits = (ctx: Ctx, filter: ContactFilter, limit: number): SQL =>
  sql`SELECT rowid AS seq FROM ${hitsOf(ctx, filter)} ORDER BY rowid DESC LIMIT ${limit}`;

/** Newest first, one row beyond `limit`; with the fields to present them with, and the total where asked for. One trip. */
export async function search(ctx: Ctx, filter: ContactFilter, { limit, offset, below, includeTotal }: ContactPage) {
  const hits = hitsOf(ctx, filter, below);
  const [layout, rows, total] = await batch(ctx.db, [
    sql`SELECT ${layoutJson(ctx)} AS fields`,
    sql`SELECT c.seq AS seq, ${contactJson(ctx)} AS contact
      FROM (SELECT rowid AS seq FROM ${hits} ORDER BY rowid DESC LIMIT ${limit + 1} OFFSET ${offset}) hit
      CROSS JOIN contacts c ON c.seq = hit.seq`,
    ...(includeTotal ? [sql`SELECT count(*) AS total FROM ${hits}`] : []),
  ]);
  return { layout, rows, total };
}
