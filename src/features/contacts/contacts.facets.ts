// Tokens by which the search index finds contacts by workspace, status, source and tag: three characters each. Pure.
// The view `contact_search_source` writes the same tokens in SQL; a test compares the two.
import { fold } from "../../shared/folding.ts";

/** Numbers are written as two digits to this base, which begin at U+4E00: characters that no folding touches. */
export const FACET_BASE = 4096;
export const FIRST_FACET_DIGIT = 0x4e00;

export const facetDigits = (number: number): string =>
  String.fromCodePoint(
    FIRST_FACET_DIGIT + (Math.floor(number / FACET_BASE) % FACET_BASE),
    FIRST_FACET_DIGIT + (number % FACET_BASE),
  );

/** The digits of a source: a hash of its folded name (FNV-1a, 24 bits). Contacts keep them, since SQL cannot make them. */
export function sourceToken(source: string): string {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(fold(source))) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return facetDigits((hash >>> 24) ^ (hash & 0xffffff));
}

export const TAG_FACET = "t";

export const activeFacet = (workspaceNumber: number): string => `l${facetDigits(workspaceNumber)}`;
export const archivedFacet = (workspaceNumber: number): string => `x${facetDigits(workspaceNumber)}`;
/** The first two letters differ for all statuses. */
export const statusFacet = (status: string): string => `s${status.slice(0, 2)}`;
export const sourceFacet = (source: string): string => `o${sourceToken(source)}`;
export const tagFacet = (tagNumber: number): string => TAG_FACET + facetDigits(tagNumber);
