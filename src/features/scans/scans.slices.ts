// A scan reads a workspace in slices. The size of a slice is the number of contact numbers that it covers. Pure.

export interface SliceSizes {
  first: number;
  most: number;
  /** By default 500. */
  least?: number;
}

/** Sizes for scans that read rows of contacts. */
export const CONTACT_SLICES: SliceSizes = { first: 1000, most: 5000 };
/** Sizes for scans that count entries of the search index. */
export const INDEX_SLICES: SliceSizes = { first: 20_000, most: 200_000 };

const LEAST = 500;
/** The target time of a slice in ms. Short, because other requests wait for the statement. */
const TARGET_MS = 4;
const MAX_GROWTH = 4;
/** The platform allows 1,000 queries per invocation, and a slice takes at most two. */
export const MAX_SLICES = 400;
const MAX_REST_MS = 2000;
/**
 * While other workspaces are active, a scan works a quarter of the time, so that most other requests do not wait for
 * it.
 */
export const WORK_SHARE = 1 / 4;
export const WORK_SHARE_ALONE = 1 / 2;
/** The CPU time is estimated, because a Worker's clock stops during a computation. */
const MS_PER_PAGE = 3;
const MS_PER_CONTACT = 0.1;

/** The size of the next slice, large enough that `slicesLeft` slices reach the end. */
export function nextSliceSize(
  { size, sqlMs }: { size: number; sqlMs: number },
  { left, slicesLeft }: { left: number; slicesLeft: number },
  { most, least = LEAST }: SliceSizes,
): number {
  const growth = Math.min(MAX_GROWTH, TARGET_MS / Math.max(sqlMs, 1));
  const wanted = Math.min(most, Math.max(least, Math.round(size * growth)));
  return Math.max(wanted, Math.ceil(left / Math.max(1, slicesLeft)));
}

/** The time in ms during which a Worker reads or presents a page of contacts. */
export const presentingMs = (contacts: number): number => MS_PER_PAGE + contacts * MS_PER_CONTACT;

/**
 * The pause after a slice. Work of 10 ms at a share of 1/4 needs 40 ms in total, including `passedMs`, the time since
 * the last statement began.
 */
export const restAfter = (worked: number, passedMs: number, share = WORK_SHARE): number =>
  Math.min(MAX_REST_MS, Math.max(0, worked / share - passedMs));
