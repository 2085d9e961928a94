import * as z from "zod";

/**
 * A message only moves to a higher state, with two exceptions: `failed` can become delivered or read, and `unknown` can
 * become any definite state. The trigger `contacts_spent_number` repeats some of these numbers; a test compares them.
 */
export const state = {
  scheduled: -1,
  queued: 0,
  claimed: 1,
  unknown: 2,
  sent: 3,
  failed: 4,
  delivered: 5,
  read: 6,
  skipped: 7,
  cancelled: 8,
} as const;

export const PROVIDER_AGENT = "provider_agent";

/**
 * If a claim expires before its call returns, the message becomes `unknown` and is not sent again. A late result that
 * asks for a retry then makes the message `failed` instead of `queued`.
 */
export const stateAfterGivenUp = (settled: number): number => (settled === state.queued ? state.failed : settled);

/**
 * A scheduled message can be cancelled in these states, before its first attempt. When the message is due, it becomes
 * `queued` and waits for its turn.
 */
export const cancellableStates = [state.scheduled, state.queued];

export const skipReasons = [
  "unsubscribed",
  "marketing_opt_out",
  "archived",
  "duplicate",
  "missing_variable",
  "too_long",
  "expired",
  "cancelled",
] as const;

export type SkipReason = (typeof skipReasons)[number];

const deliveries = [
  "scheduled",
  "queued",
  "sent",
  "delivered",
  "read",
  "failed",
  "unknown",
  "cancelled",
] as const satisfies Exclude<keyof typeof state, "claimed" | "skipped">[];

export const messageDelivery = z.enum(deliveries).meta({
  id: "MessageDelivery",
  description:
    "`unknown`: the provider's response was lost, so the message might have been sent. It is not sent again automatically. A later status from the provider replaces this state.",
});

export type MessageDelivery = (typeof deliveries)[number];

const deliveryByState: Record<number, MessageDelivery> = {
  [state.scheduled]: "scheduled",
  [state.queued]: "queued",
  [state.claimed]: "queued",
  [state.unknown]: "unknown",
  [state.sent]: "sent",
  [state.failed]: "failed",
  [state.delivered]: "delivered",
  [state.read]: "read",
  [state.skipped]: "failed",
  [state.cancelled]: "cancelled",
};

export const toDelivery = (storedState: number): MessageDelivery => deliveryByState[storedState] ?? "unknown";

export const statesOfDelivery = (delivery: MessageDelivery): number[] =>
  Object.values(state).filter((stored) => toDelivery(stored) === delivery);
