// When a connection's templates are fetched from its provider again. Pure.
import { HOUR_MS, MINUTE_MS } from "../../shared/time/durations.ts";

export const TEMPLATE_SYNC_MS = HOUR_MS;

/** The delay of the sync after a change, because a review or a list may have crossed the change. */
export const SYNC_AFTER_CHANGE_MS = MINUTE_MS;

/** Failures double the pause, up to 16 hours. */
export const MAX_SYNC_DOUBLINGS = 4;

/** The pause after this many failed syncs in a row. */
export const templateSyncPauseMs = (failures: number): number =>
  TEMPLATE_SYNC_MS * 2 ** Math.min(failures, MAX_SYNC_DOUBLINGS);

/** The first sync of a new connection, in ms since the epoch; null if the provider has no templates. */
export const firstTemplateSync = (
  { channel, provider }: { channel: string; provider: string },
  now: number,
): number | null => (channel === "official" && provider !== "sandbox" ? now + TEMPLATE_SYNC_MS : null);
