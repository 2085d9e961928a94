// When connections are tested again, and when their templates are fetched again. SQL uses the same constants.
import { type Provider, providerFacts } from "../../channels/providers.ts";
import { HOUR_MS, MINUTE_MS } from "../../shared/time/durations.ts";

/**
 * The shortest pause between two tests. Shorter than the minute between two sweeps, so that a slightly early sweep also
 * tests.
 */
export const SHORTEST_PAUSE_MS = 45_000;
export const LONGEST_PAUSE_MS = HOUR_MS;
/** A pause is the outage divided by this number, so every sweep of the first hour runs a test. */
export const SHARE_OF_OUTAGE = 60;

export const retestPauseMs = (outageMs: number): number =>
  Math.min(LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, Math.trunc(outageMs / SHARE_OF_OUTAGE)));

export const TEMPLATE_SYNC_MS = HOUR_MS;

/** The delay of the sync after a change, because a review or a list can arrive during the change. */
export const SYNC_AFTER_CHANGE_MS = MINUTE_MS;

/** Each failure doubles the pause, up to 16 hours. */
export const MAX_SYNC_DOUBLINGS = 4;

export const templateSyncPauseMs = (failures: number): number =>
  TEMPLATE_SYNC_MS * 2 ** Math.min(failures, MAX_SYNC_DOUBLINGS);

export const firstTemplateSync = (
  { channel, provider }: { channel: string; provider: Provider },
  now: number,
): number | null =>
  channel === "official" && !providerFacts[provider].hasFixedTemplates ? now + TEMPLATE_SYNC_MS : null;
