// Providers can report an opt-out and an opt-in in any order. The choice with the later time applies.

/**
 * Some providers send whole seconds, so START and STOP can have the wrong order: an opt-in also removes slightly later
 * opt-outs. A marketing stop stores a choice and an opt-out with the same time, so a choice removes only older
 * opt-outs.
 */
export const OPT_IN_TOLERANCE_MS = { suppressions: 999, marketing_suppressions: -1 };

export const lastOptOutLiftedBy = (optedInAt: number, table: keyof typeof OPT_IN_TOLERANCE_MS): number =>
  optedInAt + OPT_IN_TOLERANCE_MS[table];
