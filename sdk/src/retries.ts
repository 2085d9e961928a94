import type { TidingsError } from "./errors.ts";

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 8_000;
/** Seconds. A longer Retry-After is not waited for. */
const LONGEST_RETRY_AFTER = 60;

/** Milliseconds to wait before a retry; null for no retry. `attempt` counts from 0. */
export function delayBeforeRetry(
  error: TidingsError,
  { attempt, isRepeatable, random }: { attempt: number; isRepeatable: boolean; random: number },
): number | null {
  if (!(isRejectedForNow(error) || (isRepeatable && isPassing(error)))) return null;
  const retryAfter = error.retryAfter ?? 0;
  if (retryAfter > LONGEST_RETRY_AFTER) return null;
  const delay = Math.min(FIRST_DELAY_MS * 2 ** attempt, LONGEST_DELAY_MS);
  return retryAfter * 1000 + delay * (0.5 + random / 2);
}

/** The request had no effect, and the response contains a time to wait. */
const isRejectedForNow = ({ status, retryAfter }: TidingsError): boolean =>
  (status === 429 || status === 503) && retryAfter !== null;

/** The request may have had an effect, and a repeat may succeed. A provider would reject the same request again. */
function isPassing({ code, status }: TidingsError): boolean {
  if (code === "network_error" || code === "timeout") return true;
  if (code === "invalid_response") return status === null || status < 300 || status >= 500;
  return status !== null && status >= 500 && code !== "provider_error";
}
