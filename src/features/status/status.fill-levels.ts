// How full a database is. Pure.

/** D1's limit. */
const MAX_BYTES = 10_000_000_000;

const STEPS = [85, 70, 50] as const;

/** The highest step that the size has reached, in percent; null below the first one. */
export const fillStep = (bytes: number): (typeof STEPS)[number] | null =>
  STEPS.find((percent) => bytes >= (MAX_BYTES * percent) / 100) ?? null;
