export const wakeableKinds = ["feed", "webhook", "live"] as const;

/** A Durable Object that reads the event log after it is notified. */
export type WakeableObject = readonly [kind: (typeof wakeableKinds)[number], name: string];
