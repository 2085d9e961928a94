// Providers can report an opt-out and an opt-in in any order. The choice with the later time applies.

/**
 * An opt-in also removes opt-outs that are up to 999 ms later. Some providers report whole seconds, so a START can seem
 * earlier than the STOP before it. A marketing choice removes only earlier opt-outs: a marketing stop stores a choice
 * and an opt-out with the same time, and the choice must not remove that opt-out.
 */
export const OPT_IN_TOLERANCE_MS = { suppressions: 999, marketing_suppressions: -1 };

export const lastOptOutLiftedBy = (optedInAt: number, table: keyof typeof OPT_IN_TOLERANCE_MS): number =>
  optedInAt + OPT_IN_TOLERANCE_MS[table];
