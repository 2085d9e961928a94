import type { TidingsError } from "./errors.ts";

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 8_000;
/** In seconds. If Retry-After is longer, the client does not retry. */
const LONGEST_RETRY_AFTER = 60;

/** Milliseconds to wait before a retry. Null if the client does not retry. The first `attempt` is 0. */
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

/** True if the request had no effect and the response contains the time to wait. */
const isRejectedForNow = ({ status, retryAfter }: TidingsError): boolean =>
  (status === 429 || status === 503) && retryAfter !== null;

/**
 * True if a repeat can succeed. The request may have had an effect. False if a provider rejected the request, because a
 * repeat would not help.
 */
function isPassing({ code, status }: TidingsError): boolean {
  if (code === "network_error" || code === "timeout") return true;
  if (code === "invalid_response") return status === null || status < 300 || status >= 500;
  return status !== null && status >= 500 && code !== "provider_error";
}
