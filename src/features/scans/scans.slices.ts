// A scan reads a workspace in slices, one statement each. Pure. Sizes are in contact numbers.

export interface SliceSizes {
  first: number;
  most: number;
}

/** For scans that read the contacts themselves. */
export const CONTACT_SLICES: SliceSizes = { first: 2000, most: 5000 };
/** For scans that count entries of the search index. */
export const INDEX_SLICES: SliceSizes = { first: 20_000, most: 200_000 };

const LEAST = 500;
/** In ms, because other requests wait for the statement. */
const TARGET_MS = 4;
const MAX_GROWTH = 4;
/** An invocation may run 1,000 queries; a slice takes at most two. */
export const MAX_SLICES = 400;
const MAX_REST_MS = 2000;
/** A scan works a quarter of the time, so that most other requests do not meet it. */
export const WORK_SHARE = 1 / 4;
/** CPU time of a contact in ms. An estimate, because a Worker's clock stands still while it computes. */
const MS_PER_CONTACT = 0.1;

/** Always large enough for `slicesLeft` slices to reach the end. */
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
  sqlMs: number;
  contacts?: number;
}

/** How long a read blocked others, in ms. */
export const workMs = ({ sqlMs, contacts = 0 }: ReadCost): number => sqlMs + contacts * MS_PER_CONTACT;

/** All time since the last statement began counts: the statement, the network, waiting for others. */
export const restAfter = (worked: number, passedMs: number): number =>
  Math.min(MAX_REST_MS, Math.max(0, worked / WORK_SHARE - passedMs));
