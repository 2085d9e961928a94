const MAX_CONTACTS = 250;
/** A step writes each value once per contact and once per event. */
const STEP_BYTES = 1_000_000;

/** Large changes get fewer contacts, so that a step stays short. */
export const stepSize = (changeBytes: number): number =>
  Math.max(1, Math.min(MAX_CONTACTS, Math.floor(STEP_BYTES / Math.max(1, changeBytes))));
