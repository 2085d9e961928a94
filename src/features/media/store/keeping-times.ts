import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../shared/time/durations.ts";

export const KEPT_MS = 365 * DAY_MS;

/** An upload takes no longer; what it left behind is deleted then. */
export const UPLOAD_MS = DAY_MS;
/** Between two bytes of an upload. */
export const UPLOAD_IDLE_MS = 30 * SECOND_MS;

/** A file behind an address comes within so long. */
export const URL_MS = 15 * SECOND_MS;
/** A provider's file, once its answer has begun. */
export const PROVIDER_MS = 5 * MINUTE_MS;
/** A fetch that has not ended by then never will: its process is dead. */
export const FETCH_CLAIM_MS = PROVIDER_MS + MINUTE_MS;

/** Meta's ids of files that came in lapse after seven days. */
const PROVIDER_KEEPS_MS = 7 * DAY_MS;
const MAX_URL_FETCHES = 3;

/** When to fetch again after so many fetches that failed for now, in ms; null where it is given up. */
export function refetchDelay(
  { fromProvider, createdAt }: { fromProvider: boolean; createdAt: number },
  fetches: number,
  now: number,
): number | null {
  const delay = Math.min(6 * HOUR_MS, 5 * SECOND_MS * 4 ** (fetches - 1));
  if (!fromProvider) return fetches < MAX_URL_FETCHES ? delay : null;
  return now + delay < createdAt + PROVIDER_KEEPS_MS ? delay : null;
}
