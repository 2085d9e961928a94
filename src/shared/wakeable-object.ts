export const wakeableKinds = ["feed", "webhook", "live"] as const;

/** A Durable Object that is notified after events were appended. The object then reads the event log. */
export type WakeableObject = readonly [kind: (typeof wakeableKinds)[number], name: string];
