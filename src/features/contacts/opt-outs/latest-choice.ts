// Of one person's opposite requests the later one applies, in any order of arrival.

/**
 * How many ms an opt-out can be newer than the opt-in that lifts it: times in whole seconds can reverse START and STOP. A
 * marketing stop stores a choice and an opt-out with one time, so a choice lifts only older ones.
 */
export const OPT_IN_TOLERANCE_MS = { suppressions: 999, marketing_suppressions: -1 };

export const lastOptOutLiftedBy = (optedInAt: number, table: keyof typeof OPT_IN_TOLERANCE_MS): number =>
  optedInAt + OPT_IN_TOLERANCE_MS[table];
