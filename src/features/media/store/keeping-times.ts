import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../../shared/time/durations.ts";

export const KEPT_MS = 365 * DAY_MS;

/** The maximum duration of an upload. After it the sweep deletes what remains. */
export const UPLOAD_MS = DAY_MS;
/** The maximum pause between two reads of an upload. */
export const UPLOAD_IDLE_MS = 30 * SECOND_MS;

/** The maximum duration of a fetch from a URL. */
export const URL_MS = 15 * SECOND_MS;
/** The maximum duration of a fetch from a provider. */
export const PROVIDER_MS = 5 * MINUTE_MS;
/** A fetch without an outcome after this time belongs to a dead process. */
export const FETCH_CLAIM_MS = PROVIDER_MS + MINUTE_MS;

/** Meta's ids of inbound files lapse after seven days. */
const PROVIDER_KEEPS_MS = 7 * DAY_MS;
const MAX_URL_FETCHES = 3;

/** The delay in ms after this many failed fetches. Null after the last attempt. */
export function refetchDelay(
  { fromProvider, createdAt }: { fromProvider: boolean; createdAt: number },
  fetches: number,
  now: number,
): number | null {
  const delay = Math.min(6 * HOUR_MS, 5 * SECOND_MS * 4 ** (fetches - 1));
  if (!fromProvider) return fetches < MAX_URL_FETCHES ? delay : null;
  return now + delay < createdAt + PROVIDER_KEEPS_MS ? delay : null;
}
