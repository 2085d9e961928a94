export const wakeableKinds = ["feed", "webhook", "live"] as const;

export type WakeableObject = readonly [kind: (typeof wakeableKinds)[number], name: string];
