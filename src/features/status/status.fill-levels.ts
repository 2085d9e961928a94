/** D1's limit for one database. */
const MAX_BYTES = 10_000_000_000;

const STEPS = [85, 70, 50] as const;

/** Returns the highest step that the size has reached, in percent. Null below the first step. */
export const fillStep = (bytes: number): (typeof STEPS)[number] | null =>
  STEPS.find((percent) => bytes >= (MAX_BYTES * percent) / 100) ?? null;
