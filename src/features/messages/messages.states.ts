// The states of a message, by rank. Pure. The trigger `contacts_spent_number` repeats some ranks by number; a test binds it.

import * as z from "zod";

/**
 * How far a message has come. A state only gives way to a higher one: `failed` to a later proof of delivery, `unknown` (the
 * provider may have the message) to anything known. A campaign's message that is `skipped` was never sent and never will be.
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

/** The author of a message that the provider's own agent sent. */
export const PROVIDER_AGENT = "provider_agent";

/**
 * The state that a settlement leads to after its claim was given up as `unknown`: a message that would have been queued again fails,
 * since a state never goes back. All other states stay.
 */
export const stateAfterGivenUp = (settled: number): number => (settled === state.queued ? state.failed : settled);

/** A scheduled message may be cancelled in these states, before its first attempt: one that waits for its turn is queued. */
export const cancellableStates = [state.scheduled, state.queued];

/** Why a campaign's message was not sent after all. */
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

/** The states of a message in the words of the API. */
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
    "`unknown`: the provider's response was lost, so the message may have been sent. It is not sent again automatically; a later status resolves it.",
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

/** The states that show as this delivery. */
export const statesOfDelivery = (delivery: MessageDelivery): number[] =>
  Object.values(state).filter((stored) => toDelivery(stored) === delivery);
