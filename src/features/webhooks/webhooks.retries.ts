import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../shared/time/durations.ts";
import type { Delivery } from "./webhooks.deliveries.ts";
import type { DeliveryAttempt, WebhookStatus } from "./webhooks.schemas.ts";

export const SENDING = ["active", "probing"] as const satisfies WebhookStatus[];

export const isSending = (status: WebhookStatus): boolean => SENDING.some((each) => each === status);

export const RETRY_DELAYS_MS = [
  5000,
  30_000,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  DAY_MS,
];
/** Each retry time varies by up to this share, so that failed deliveries are not all retried at once. */
const JITTER = 0.1;
const LONGEST_PROBE_DELAY_MS = 30 * MINUTE_MS;
const LONGEST_RETRY_AFTER_MS = HOUR_MS;

const FAILURES_UNTIL_PROBING = 20;
const PROBING_DAYS = 5;

const spread = (ms: number, random: number): number => Math.round(ms * (1 + JITTER * (2 * random - 1)));

export function retryDelayMs(tries: number, random: number): number | null {
  const delay = RETRY_DELAYS_MS[tries - 1];
  return delay === undefined ? null : spread(delay, random);
}

export function failedDelivery(
  delivery: Delivery,
  { isProbe, result }: EndedAttempt,
  { now, random }: { now: number; random: number },
): { failed: Delivery; isLast: boolean } {
  const tries = delivery.tries + (isProbe ? 0 : 1);
  const delay = isProbe ? 0 : retryDelayMs(tries, random);
  const firstFailedAt = delivery.firstFailedAt ?? now;
  const dueAt = now + Math.max(delay ?? 0, result.retryAfterMs ?? 0);
  return { failed: { ...delivery, tries, firstFailedAt, lastAttemptAt: now, dueAt }, isLast: delay === null };
}

export function retryAfterMs(header: string | null, now: number): number | null {
  if (header === null) return null;
  const ms = /^\d+$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - now;
  return Number.isNaN(ms) ? null : Math.min(Math.max(ms, 0), LONGEST_RETRY_AFTER_MS);
}

/** Times are in ms since the epoch. */
export interface EndpointHealth {
  failuresInRow: number;
  /**
   * True after a timeout, until a request succeeds. Until then, requests are sent one at a time, so that a slow
   * endpoint does not get more work.
   */
  isSlow: boolean;
  notBefore: number;
  probing: { since: number; tries: number; nextAt: number } | null;
  lastSuccessAt: number | null;
  lastFailureAt: number | null;
  failingSince: number | null;
}

export const newHealth: EndpointHealth = {
  failuresInRow: 0,
  isSlow: false,
  notBefore: 0,
  probing: null,
  lastSuccessAt: null,
  lastFailureAt: null,
  failingSince: null,
};

/** Nothing is sent before this time, because the endpoint requested a pause or is being tested. */
export const nextSendFrom = ({ notBefore, probing }: EndpointHealth): number =>
  Math.max(notBefore, probing?.nextAt ?? 0);

export interface CallResult {
  attempt: DeliveryAttempt;
  isSuccess: boolean;
  isTimeout: boolean;
  retryAfterMs: number | null;
}

export interface EndedAttempt {
  /** True if the call tests a failing endpoint. Such a probe does not count as a retry of its delivery. */
  isProbe: boolean;
  result: CallResult;
}

/**
 * With these statuses, the endpoint itself is overloaded. Other deliveries would also fail, so the whole webhook
 * pauses.
 */
const OVERLOADED = [429, 503];
const GONE = 410;

export type Transition = "recovered" | "probing" | "gone" | "given_up";

interface StatusChange {
  from: readonly WebhookStatus[];
  to: WebhookStatus;
  reason: string | null;
}

export const statusChanges: Record<Transition, StatusChange> = {
  recovered: { from: ["probing"], to: "active", reason: null },
  probing: {
    from: ["active"],
    to: "probing",
    reason: `${FAILURES_UNTIL_PROBING} attempts in a row have failed. Scheduled attempts continue until one succeeds.`,
  },
  gone: { from: SENDING, to: "disabled", reason: "The endpoint returned 410 Gone." },
  given_up: { from: ["probing"], to: "disabled", reason: `No attempt has succeeded for ${PROBING_DAYS} days.` },
};

export function healthAfter(
  health: EndpointHealth,
  { isProbe, result: { attempt, isSuccess, isTimeout, retryAfterMs: requestedMs } }: EndedAttempt,
  { now, random }: { now: number; random: number },
): { health: EndpointHealth; transition: Transition | null } {
  const { probing } = health;
  if (isSuccess) {
    const recovered = { ...newHealth, lastSuccessAt: now, lastFailureAt: health.lastFailureAt };
    return { health: recovered, transition: probing === null ? null : "recovered" };
  }
  const status = attempt.status ?? 0;
  const pauseMs = OVERLOADED.includes(status) ? (requestedMs ?? 0) : 0;
  const failed = {
    ...health,
    failuresInRow: health.failuresInRow + 1,
    isSlow: health.isSlow || isTimeout,
    notBefore: Math.max(health.notBefore, now + pauseMs),
    lastFailureAt: now,
    failingSince: health.failingSince ?? now,
  };
  if (status === GONE) return { health: failed, transition: "gone" };
  if (probing !== null) {
    if (!isProbe) return { health: failed, transition: null };
    if (now - probing.since >= PROBING_DAYS * DAY_MS) return { health: failed, transition: "given_up" };
    return { health: { ...failed, probing: nextProbe(probing, now, random) }, transition: null };
  }
  if (failed.failuresInRow < FAILURES_UNTIL_PROBING) return { health: failed, transition: null };
  return { health: startProbing(failed, now, random), transition: "probing" };
}

function nextProbe({ since, tries }: { since: number; tries: number }, now: number, random: number) {
  const delay = retryDelayMs(tries + 1, 0.5) ?? LONGEST_PROBE_DELAY_MS;
  return { since, tries: tries + 1, nextAt: now + spread(Math.min(delay, LONGEST_PROBE_DELAY_MS), random) };
}

export const startProbing = (health: EndpointHealth, now: number, random: number): EndpointHealth => ({
  ...health,
  probing: nextProbe({ since: now, tries: 0 }, now, random),
});

export const stopProbing = (health: EndpointHealth): EndpointHealth => ({
  ...newHealth,
  lastSuccessAt: health.lastSuccessAt,
  lastFailureAt: health.lastFailureAt,
  failingSince: health.failingSince,
});
