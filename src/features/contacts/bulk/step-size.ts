/** A step of this size takes about 5 ms. */
const MAX_CONTACTS = 20;
/** A step writes the changed values twice per contact: in the contact and in its event. */
const STEP_BYTES = 1_000_000;

/** Returns the number of contacts in a step. The larger the change, the fewer contacts, so that a step stays short. */
export const stepSize = (changeBytes: number): number =>
  Math.max(1, Math.min(MAX_CONTACTS, Math.floor(STEP_BYTES / Math.max(1, changeBytes))));
