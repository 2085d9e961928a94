// How much of a workspace one statement of a scan looks at, and how long the scan rests after it. Pure.

/** A window's size, in contact numbers. */
export interface WindowSizes {
  first: number;
  most: number;
}

/** Windows in which contacts themselves are read. */
export const CONTACT_WINDOWS: WindowSizes = { first: 2000, most: 5000 };
/** Windows in which entries of the search index are counted. */
export const INDEX_WINDOWS: WindowSizes = { first: 20_000, most: 200_000 };

const LEAST = 500;
/** How long a statement should take, in ms: others wait for it. */
const TARGET_MS = 4;
const MOST_GROWTH = 4;
/** An invocation may run 1,000 queries; a window takes two at most. */
export const MOST_WINDOWS = 400;
const MOST_REST_MS = 2000;
/** A scan works for one part of its time in so many: less than half, so that most of what others ask meets none of it. */
export const PARTS = 4;
/**
 * How long a Worker works on a contact that is read to be shown, in ms: parsing, presenting, writing it down. Counted, not measured:
 * the clock of a Worker stands still while it computes.
 */
const MS_PER_CONTACT = 0.1;

/** The size of the next window, from how long the last one's SQL took. Never so small that `windowsLeft` do not reach the end. */
export function nextWindow(
  { size, sqlMs }: { size: number; sqlMs: number },
  { left, windowsLeft }: { left: number; windowsLeft: number },
  { most }: WindowSizes,
): number {
  const growth = Math.min(MOST_GROWTH, TARGET_MS / Math.max(sqlMs, 1));
  const wanted = Math.min(most, Math.max(LEAST, Math.round(size * growth)));
  return Math.max(wanted, Math.ceil(left / Math.max(1, windowsLeft)));
}

export interface Worked {
  /** How long the database worked, in ms. */
  sqlMs: number;
  /** How many contacts were read to be shown. */
  contacts?: number;
}

/** How long a read kept others from being served, in ms. */
export const workMs = ({ sqlMs, contacts = 0 }: Worked): number => sqlMs + contacts * MS_PER_CONTACT;

/** How much longer a scan rests. What passed since its last statement began counts, be it the way there and back or waiting for others. */
export const restAfter = (worked: number, passedMs: number): number =>
  Math.min(MOST_REST_MS, Math.max(0, PARTS * worked - passedMs));
