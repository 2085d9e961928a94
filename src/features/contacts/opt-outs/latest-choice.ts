// Opposite requests of one person: the later one holds, in whatever order they arrive. A STOP from before a START changes nothing.

/**
 * An opt-in also lifts opt-outs that are this much later than itself, in ms, by the table of the opt-out.
 * Providers give times in whole seconds, so a START may seem to come almost a second before the STOP that it followed.
 * A request to stop marketing is stored as a choice and as an opt-out of the same time: a choice lifts older opt-outs only.
 */
export const OPT_IN_TOLERANCE_MS = { suppressions: 999, marketing_suppressions: -1 };

/** The time of the latest opt-out that an opt-in lifts. */
export const lastOptOutLiftedBy = (optedInAt: number, table: keyof typeof OPT_IN_TOLERANCE_MS): number =>
  optedInAt + OPT_IN_TOLERANCE_MS[table];
