// If a person opts out and in, the later request applies, in any order of arrival.

/**
 * An opt-in also removes opt-outs that are newer by up to this many ms. Times in whole seconds can reverse START and
 * STOP. A marketing stop stores a choice and an opt-out with the same time, so a choice removes only older opt-outs.
 */
export const OPT_IN_TOLERANCE_MS = { suppressions: 999, marketing_suppressions: -1 };

export const lastOptOutLiftedBy = (optedInAt: number, table: keyof typeof OPT_IN_TOLERANCE_MS): number =>
  optedInAt + OPT_IN_TOLERANCE_MS[table];
