// Providers can report an opt-out and an opt-in in any order. The later request applies.

export const OPT_IN_TOLERANCE_MS = { suppressions: 999, marketing_suppressions: -1 };

export const lastOptOutLiftedBy = (optedInAt: number, table: keyof typeof OPT_IN_TOLERANCE_MS): number =>
  optedInAt + OPT_IN_TOLERANCE_MS[table];
