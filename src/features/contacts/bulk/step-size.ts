// How many contacts one step of a job changes. Pure.

const MAX_CONTACTS = 250;
/** A step writes each value once a contact, and once more into its event. */
const STEP_BYTES = 1_000_000;

/** Fewer where each contact is given much, so that a step stays short. */
export const stepSize = (changeBytes: number): number =>
  Math.max(1, Math.min(MAX_CONTACTS, Math.floor(STEP_BYTES / Math.max(1, changeBytes))));
