// A scan reads a workspace slice by slice, one statement each: the size of a slice, and the rest after it. Pure.

/** Sizes in contact numbers. */
export interface SliceSizes {
  first: number;
  most: number;
}

/** For scans that read the contacts themselves. */
export const CONTACT_SLICES: SliceSizes = { first: 2000, most: 5000 };
/** For scans that count entries of the search index. */
export const INDEX_SLICES: SliceSizes = { first: 20_000, most: 200_000 };

const LEAST = 500;
/** A statement should take so many ms: other requests wait for it. */
const TARGET_MS = 4;
const MAX_GROWTH = 4;
/** An invocation may run 1,000 queries; a slice takes two at most. */
export const MAX_SLICES = 400;
const MAX_REST_MS = 2000;
/** A scan works a quarter of its time, so that most requests of others do not meet it. */
export const WORK_SHARE = 1 / 4;
/**
 * The CPU time that a contact takes to be parsed, presented and serialised, in ms. Estimated by count, since the clock of a
 * Worker stands still while it computes.
 */
const MS_PER_CONTACT = 0.1;

/** The size of the next slice, from the time that the last one's SQL took. Always so large that `slicesLeft` reach the end. */
export function nextSliceSize(
  { size, sqlMs }: { size: number; sqlMs: number },
  { left, slicesLeft }: { left: number; slicesLeft: number },
  { most }: SliceSizes,
): number {
  const growth = Math.min(MAX_GROWTH, TARGET_MS / Math.max(sqlMs, 1));
  const wanted = Math.min(most, Math.max(LEAST, Math.round(size * growth)));
  return Math.max(wanted, Math.ceil(left / Math.max(1, slicesLeft)));
}

export interface ReadCost {
  /** The time the database worked, in ms. */
  sqlMs: number;
  /** How many contacts were read to be shown. */
  contacts?: number;
}

/** The time for which a read kept others from being served, in ms. */
export const workMs = ({ sqlMs, contacts = 0 }: ReadCost): number => sqlMs + contacts * MS_PER_CONTACT;

/** The rest that a scan still owes. All time since its last statement began counts: the statement's, the network's, waiting for others. */
export const restAfter = (worked: number, passedMs: number): number =>
  Math.min(MAX_REST_MS, Math.max(0, worked / WORK_SHARE - passedMs));
