// Providers can report an opt-out and an opt-in in any order. The choice with the later time applies.

/**
 * Some providers report whole seconds, so a START can seem earlier than the STOP before it: an opt-in therefore also
 * removes slightly later opt-outs. A marketing choice removes only older opt-outs, because a marketing stop stores a
 * choice and an opt-out with the same time.
 */
export const OPT_IN_TOLERANCE_MS = { suppressions: 999, marketing_suppressions: -1 };

export const lastOptOutLiftedBy = (optedInAt: number, table: keyof typeof OPT_IN_TOLERANCE_MS): number =>
  optedInAt + OPT_IN_TOLERANCE_MS[table];
