// A facet is a token of three characters in the search index, for example for a tag. The view `contact_search_source`
// builds the same tokens in SQL. Many contacts share a common facet, so searching for several common facets is slow. A
// combined facet is therefore one token for several properties.
import { fold } from "../../shared/text/folding.ts";

/**
 * Numbers are written as two digits in this base. The digits begin at U+4E00, because folding does not change these
 * characters.
 */
export const FACET_BASE = 4096;
export const FIRST_FACET_DIGIT = 0x4e00;

export const facetDigits = (number: number): string =>
  String.fromCodePoint(
    FIRST_FACET_DIGIT + (Math.floor(number / FACET_BASE) % FACET_BASE),
    FIRST_FACET_DIGIT + (number % FACET_BASE),
  );

function sourceNumber(source: string): number {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(fold(source))) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return (hash >>> 24) ^ (hash & 0xffffff);
}

/** SQL cannot compute the hash of a source, so each contact stores the token of its source. */
export const sourceToken = (source: string): string => facetDigits(sourceNumber(source));

export const TAG_FACET = "t";

export const activeFacet = (workspaceNumber: number): string => `l${facetDigits(workspaceNumber)}`;
export const archivedFacet = (workspaceNumber: number): string => `x${facetDigits(workspaceNumber)}`;
/** Two letters are enough, because no two statuses begin with the same two letters. */
export const statusFacet = (status: string): string => `s${status.slice(0, 2)}`;
export const sourceFacet = (source: string): string => `o${sourceToken(source)}`;
export const tagFacet = (tagNumber: number): string => TAG_FACET + facetDigits(tagNumber);

export const COMBINED_FACET = "c";

/** The largest prime whose remainders fit into two digits of the base. */
export const COMBINED_PRIME = 16_777_213;
/** The factors are arbitrary, but small enough for SQL and JavaScript to add the products without loss of precision. */
const COMBINED_FACTORS = { workspace: 7_368_787, archived: 10_368_889, status: 5_462_513, source: 11_400_713 };
export const COMBINED_TAG_FACTOR = 9_369_319;

const statusNumber = (status: string): number => status.charCodeAt(0) * 128 + status.charCodeAt(1);

export interface CombinedFacets {
  workspaceNumber: number;
  isArchived: boolean;
  status?: string | undefined;
  source?: string | undefined;
}

/**
 * The caller adds the tag (times `COMBINED_TAG_FACTOR`) and reduces the sum modulo `COMBINED_PRIME`. Two combinations
 * can have the same number, so searches also check each facet.
 */
export const combinedSum = ({ workspaceNumber, isArchived, status, source }: CombinedFacets): number =>
  workspaceNumber * COMBINED_FACTORS.workspace +
  Number(isArchived) * COMBINED_FACTORS.archived +
  (status === undefined ? 0 : statusNumber(status)) * COMBINED_FACTORS.status +
  (source === undefined ? 0 : sourceNumber(source)) * COMBINED_FACTORS.source;
