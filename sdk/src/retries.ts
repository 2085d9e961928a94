import type { TidingsError } from "./errors.ts";

const FIRST_DELAY_MS = 500;
const LONGEST_DELAY_MS = 8_000;
const LONGEST_RETRY_AFTER = 60;

/** Returns how many ms to wait before the retry, or null if the call must not be retried. `attempt` starts at 0. */
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

/** True if the server rejected the request without processing it, and `Retry-After` says when to retry. */
const isRejectedForNow = ({ status, retryAfter }: TidingsError): boolean =>
  (status === 429 || status === 503) && retryAfter !== null;

/**
 * True if the error is temporary, so that a retry can succeed. The server may already have processed the request, so
 * only a repeatable request can be retried. `provider_error` is not temporary: the provider rejected the request, and
 * would reject it again.
 */
function isPassing({ code, status }: TidingsError): boolean {
  if (code === "network_error" || code === "timeout") return true;
  if (code === "invalid_response") return status === null || status < 300 || status >= 500;
  return status !== null && status >= 500 && code !== "provider_error";
}
