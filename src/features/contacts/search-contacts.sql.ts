import { sql } from "drizzle-orm";
import type { SQL } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import {
  activeFacet,
  archivedFacet,
  FACET_BASE,
  FIRST_FACET_DIGIT,
  sourceFacet,
  statusFacet,
  TAG_FACET,
} from "./contacts.facets.ts";
import { searchPhrases } from "./contacts.folding.ts";
import { baseSeq, type ContactSpan, lastSeq, SEQ_RANGE } from "./contacts.sql.ts";

export interface ContactFilter {
  search?: string | undefined;
  /** Key of a tag's name. */
  tagKey?: string | undefined;
  source?: string | undefined;
  status?: string | undefined;
  /** Null for both. */
  archived: boolean | null;
}

export interface HitRange {
  limit: number;
  offset: number;
  /** Continue below this `seq`. */
  below: number | undefined;
}

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
const inFacets = (token: string) => `f:${quoted(token)}`;

/** Never in the index: matches nothing, for an unknown tag and for a term that folds to nothing. */
const NOTHING = inFacets("\u0003\u0003\u0003");

/** `tagFacet` in SQL. The constants are not parameters, which D1 would bind as REAL. */
export function tagFacetSql(number: SQL): SQL {
  const [base, first] = [sql.raw(String(FACET_BASE)), sql.raw(String(FIRST_FACET_DIGIT))];
  return sql`${TAG_FACET} || char(${first} + ${number} / ${base}, ${first} + ${number} % ${base})`;
}

/** The FTS5 query of a filter. Every term is a quoted phrase, so nothing a caller sends is syntax. */
function ftsQuery(ctx: Ctx, { search: term, tagKey, source, status, archived }: ContactFilter): SQL {
  const { number } = ctx.workspace;
  const [active, hidden] = [inFacets(activeFacet(number)), inFacets(archivedFacet(number))];
  const terms = [archived === null ? `(${active} OR ${hidden})` : archived ? hidden : active];
  if (status !== undefined) terms.push(inFacets(statusFacet(status)));
  if (source !== undefined) terms.push(inFacets(sourceFacet(source)));
  if (term !== undefined) {
    const phrases = searchPhrases(term).map((phrase) => `t:${quoted(phrase)}`);
    terms.push(phrases.length === 0 ? NOTHING : `(${phrases.join(" OR ")})`);
  }
  const known = terms.join(" AND ");
  if (tagKey === undefined) return sql`${known}`;
  const token = sql`(SELECT ${tagFacetSql(sql`number`)} FROM tags
    WHERE workspace_id = ${ctx.workspace.id} AND name_key = ${tagKey} AND deleted_at IS NULL)`;
  return sql`${`${known} AND `} || coalesce('f:"' || ${token} || '"', ${NOTHING})`;
}

/** The entries of the index that pass a filter within a span; `rowid` is the contact's `seq`. */
export function indexHits(ctx: Ctx, filter: ContactFilter, { high, from, to }: ContactSpan): SQL {
  const base = baseSeq(ctx);
  const last = high === null ? lastSeq(ctx) : sql`${base + high}`;
  // Without the CAST a bound number is REAL, and FTS5 reads past the range.
  return sql`contact_search WHERE contact_search MATCH ${ftsQuery(ctx, filter)}
    AND rowid BETWEEN CAST(max(${base}, ${last} - ${to} + 1) AS INTEGER) AND CAST(${last} - ${from} AS INTEGER)`;
}

/** The `seq` of contacts that pass a filter, newest first. */
export function rangeOfHits(ctx: Ctx, filter: ContactFilter, { limit, offset, below = Infinity }: HitRange): SQL {
  const high = Math.min(below - baseSeq(ctx), SEQ_RANGE) - 1;
  const all = { high, from: 0, to: SEQ_RANGE };
  return sql`SELECT rowid AS seq FROM ${indexHits(ctx, filter, all)} ORDER BY rowid DESC LIMIT ${limit} OFFSET ${offset}`;
}

/** The same of the newest, at most `limit`. */
export const newestHits = (ctx: Ctx, filter: ContactFilter, limit: number): SQL =>
  rangeOfHits(ctx, filter, { limit, offset: 0, below: undefined });
