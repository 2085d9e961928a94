// Queries of the search index. Raw SQL, because the builder has no FTS5.
import { sql, type SQL } from "drizzle-orm";
import { columns } from "../../../db/columns.ts";
import { ftsPhrase } from "../../../db/idioms.ts";
import { cleanups, tags } from "../../../db/schema/index.ts";
import type { Ctx } from "../../../shared/context.ts";
import {
  activeFacet,
  archivedFacet,
  COMBINED_FACET,
  COMBINED_PRIME,
  COMBINED_TAG_FACTOR,
  type CombinedFacets,
  combinedSum,
  FACET_BASE,
  FIRST_FACET_DIGIT,
  sourceFacet,
  statusFacet,
  TAG_FACET,
} from "../contacts.facets.ts";
import { searchPhrases, splitNumber } from "../contacts.folding.ts";
import { baseSeq, type ContactSpan, lastSeq, SEQ_RANGE } from "../contacts.sql.ts";

const cleanup = columns(cleanups);
const tag = columns(tags);

export interface ContactFilter {
  search?: string | undefined;
  tagKey?: string | undefined;
  source?: string | undefined;
  status?: string | undefined;
  archived: boolean | null;
}

export interface HitRange {
  limit: number;
  offset: number;
  after: number | undefined;
  isOldestFirst?: boolean;
}

const inFacets = (token: string) => `f:${ftsPhrase(token)}`;

/** A token that is not in the index, so it matches nothing. Used for unknown tags and for terms that fold to an empty text. */
const NOTHING = inFacets("\u0003\u0003\u0003");

/** `facetDigits` in SQL. The constants are inlined, because D1 binds numbers as REAL. */
export function facetDigitsSql(number: SQL): SQL {
  const [base, first] = [sql.raw(String(FACET_BASE)), sql.raw(String(FIRST_FACET_DIGIT))];
  return sql`char(${first} + ${number} / ${base}, ${first} + ${number} % ${base})`;
}

export const tagFacetSql = (number: SQL): SQL => sql`${TAG_FACET} || ${facetDigitsSql(number)}`;

/** `tagNumber` is 0 without a tag. */
export function combinedFacetSql(facets: CombinedFacets, tagNumber: SQL): SQL {
  const [factor, prime] = [sql.raw(String(COMBINED_TAG_FACTOR)), sql.raw(String(COMBINED_PRIME))];
  const number = sql`((CAST(${combinedSum(facets)} AS INTEGER) + ${factor} * ${tagNumber}) % ${prime})`;
  return sql`${COMBINED_FACET} || ${facetDigitsSql(number)}`;
}

/**
 * True in SQL while contacts of the workspace wait to be indexed again. The combined facet is then incomplete, so
 * searches must not use it.
 */
const isIndexing = (ctx: Ctx): SQL =>
  sql`EXISTS (SELECT 1 FROM cleanups WHERE ${cleanup.workspaceId} = ${ctx.workspace.id} AND ${cleanup.kind} = 'index')`;

/**
 * The combined facet is rarer than each single facet and comes first, so that FTS5 checks few contacts. The query also
 * contains the single facets, because different combinations can have the same combined facet.
 */
function ofCombination(ctx: Ctx, { archived, status, source }: ContactFilter, tagNumber: SQL): SQL {
  if (archived === null) return sql`''`;
  const facet = combinedFacetSql(
    { workspaceNumber: ctx.workspace.number, isArchived: archived, status, source },
    tagNumber,
  );
  return sql`iif(${isIndexing(ctx)}, '', 'f:"' || ${facet} || '" AND ')`;
}

/**
 * Searches for the parts of a long number, because FTS5 is slow with many common trigrams in one phrase. Afterwards
 * `holdsPhrase` checks that the contact contains the whole number.
 */
function phraseQuery(phrase: string): string {
  const parts = splitNumber(phrase) ?? [phrase];
  return `(${parts.map((part) => `t:${ftsPhrase(part)}`).join(" AND ")})`;
}

function holdsAnyPhrase(phrases: string[], seq: SQL): SQL {
  const holds = phrases.map((phrase) => sql`instr(s.t, ${phrase}) > 0`);
  return sql`EXISTS (SELECT 1 FROM contact_search_source s WHERE s.seq = ${seq} AND (${sql.join([sql`FALSE`, ...holds], sql` OR `)}))`;
}

/** True in SQL if the contact contains one of the phrases. Needed only for phrases that the query splits. */
const holdsPhrase = (phrases: string[]): SQL =>
  phrases.every((phrase) => splitNumber(phrase) === null)
    ? sql`TRUE`
    : holdsAnyPhrase(phrases, sql`contact_search.rowid`);

/** All terms are quoted phrases, so input cannot contain query syntax. */
function ftsQuery(ctx: Ctx, filter: ContactFilter, phrases: string[] | undefined): SQL {
  const { tagKey, source, status, archived } = filter;
  const { number } = ctx.workspace;
  const [active, hidden] = [inFacets(activeFacet(number)), inFacets(archivedFacet(number))];
  const terms = [archived === null ? `(${active} OR ${hidden})` : archived ? hidden : active];
  if (status !== undefined) terms.push(inFacets(statusFacet(status)));
  if (source !== undefined) terms.push(inFacets(sourceFacet(source)));
  if (phrases !== undefined) {
    terms.push(phrases.length === 0 ? NOTHING : `(${phrases.map(phraseQuery).join(" OR ")})`);
  }
  const common = sql`${terms.join(" AND ")}`;
  if (tagKey !== undefined) {
    return sql`coalesce((SELECT ${ofCombination(ctx, filter, tag.number)} || ${common} || ' AND f:"' || ${tagFacetSql(tag.number)} || '"'
      FROM tags WHERE ${tag.workspaceId} = ${ctx.workspace.id} AND ${tag.nameKey} = ${tagKey} AND ${tag.deletedAt} IS NULL), ${NOTHING})`;
  }
  const isPlain = status === undefined && source === undefined;
  return isPlain ? common : sql`${ofCombination(ctx, filter, sql`0`)} || ${common}`;
}

/** Reads the text of the contact, because FTS5 would search on to the next hit if the contact does not match. */
export const isFoundContact = (search: string, seq: SQL): SQL => holdsAnyPhrase(searchPhrases(search), seq);

/** `rowid` is the contact's `seq`. */
export function indexHits(ctx: Ctx, filter: ContactFilter, { high, from, to }: ContactSpan): SQL {
  const base = baseSeq(ctx);
  const last = high === null ? lastSeq(ctx) : sql`${base + high}`;
  const phrases = filter.search === undefined ? undefined : searchPhrases(filter.search);
  // Without the CAST, bound numbers are REAL and FTS5 reads beyond the range.
  return sql`contact_search WHERE contact_search MATCH ${ftsQuery(ctx, filter, phrases)}
    AND rowid BETWEEN CAST(max(${base}, ${last} - ${to} + 1) AS INTEGER) AND CAST(${last} - ${from} AS INTEGER)
    AND ${holdsPhrase(phrases ?? [])}`;
}

export function rangeOfHits(ctx: Ctx, filter: ContactFilter, range: HitRange): SQL {
  const { limit, offset, after, isOldestFirst = false } = range;
  const number = after === undefined ? undefined : after - baseSeq(ctx);
  const last = SEQ_RANGE - 1;
  const span = isOldestFirst
    ? { high: last, from: 0, to: last - (number ?? -1) }
    : { high: Math.min(number ?? Infinity, SEQ_RANGE) - 1, from: 0, to: SEQ_RANGE };
  const direction = isOldestFirst ? sql`ASC` : sql`DESC`;
  return sql`SELECT rowid AS seq FROM ${indexHits(ctx, filter, span)} ORDER BY rowid ${direction} LIMIT ${limit} OFFSET ${offset}`;
}

export const newestHits = (ctx: Ctx, filter: ContactFilter, limit: number): SQL =>
  rangeOfHits(ctx, filter, { limit, offset: 0, after: undefined });
