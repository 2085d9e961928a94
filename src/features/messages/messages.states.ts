/**
 * How far a message has come. A state only ever gives way to a higher one: a failure to a later proof of delivery,
 * `unknown` (the provider may have it) to anything known. A campaign's message that is `skipped` was never sent, for good.
 */
export const state = {
  queued: 0,
  claimed: 1,
  unknown: 2,
  sent: 3,
  failed: 4,
  delivered: 5,
  read: 6,
  skipped: 7,
} as const;

/**
 * What a message comes to that was known not to be taken only after its claim had been given up for `unknown`: where it
 * would have been queued again it fails, since a state never goes back; everything else is known as well late as early.
 */
export const lateState = (to: number): number => (to === state.queued ? state.failed : to);

/** Why a campaign's message was not sent after all. */
export type SkipReason =
  | "unsubscribed"
  | "marketing_opt_out"
  | "archived"
  | "duplicate"
  | "missing_variable"
  | "too_long"
  | "expired"
  | "cancelled";

export type Delivery = Exclude<keyof typeof state, "claimed" | "skipped">;

const shown: Record<number, Delivery> = {
  [state.queued]: "queued",
  [state.claimed]: "queued",
  [state.unknown]: "unknown",
  [state.sent]: "sent",
  [state.failed]: "failed",
  [state.delivered]: "delivered",
  [state.read]: "read",
  [state.skipped]: "failed",
};

/** What a stored state is called outside; a claimed message still shows `queued`. */
export const deliveryOf = (stored: number): Delivery => shown[stored] ?? "unknown";
