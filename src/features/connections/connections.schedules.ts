import { type Provider, providerFacts } from "../../channels/providers.ts";
import { HOUR_MS, MINUTE_MS } from "../../shared/time/durations.ts";

/** A sweep runs every minute. This pause is shorter, so that a sweep that begins slightly early also runs the test. */
export const SHORTEST_PAUSE_MS = 45_000;
export const LONGEST_PAUSE_MS = HOUR_MS;
/**
 * The pause is the outage divided by this number. It is at most a minute in the first hour, so every sweep then runs a
 * test.
 */
export const SHARE_OF_OUTAGE = 60;

export const retestPauseMs = (outageMs: number): number =>
  Math.min(LONGEST_PAUSE_MS, Math.max(SHORTEST_PAUSE_MS, Math.trunc(outageMs / SHARE_OF_OUTAGE)));

export const TEMPLATE_SYNC_MS = HOUR_MS;

/**
 * A change of a template schedules a sync after this time. A list or review that arrives earlier can still describe the
 * template as it was before the change.
 */
export const SYNC_AFTER_CHANGE_MS = MINUTE_MS;

export const MAX_SYNC_DOUBLINGS = 4;

export const templateSyncPauseMs = (failures: number): number =>
  TEMPLATE_SYNC_MS * 2 ** Math.min(failures, MAX_SYNC_DOUBLINGS);

export const firstTemplateSync = (
  { channel, provider }: { channel: string; provider: Provider },
  now: number,
): number | null =>
  channel === "official" && !providerFacts[provider].hasFixedTemplates ? now + TEMPLATE_SYNC_MS : null;
