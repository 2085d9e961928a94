import type { TidingsError } from "./errors.ts";

const FIRST_DELAY = 500;
const LONGEST_DELAY = 8_000;
/** Who asks to come back later than that is not waited for. */
const LONGEST_RETRY_AFTER = 60;

/** Milliseconds to wait before another attempt, or null where none may be made. `attempt` counts from 0. */
export function delayBeforeRetry(
  error: TidingsError,
  { attempt, isRepeatable, random }: { attempt: number; isRepeatable: boolean; random: number },
): number | null {
  if (!(isRefusedForNow(error) || (isRepeatable && isPassing(error)))) return null;
  const retryAfter = error.retryAfter ?? 0;
  if (retryAfter > LONGEST_RETRY_AFTER) return null;
  const delay = Math.min(FIRST_DELAY * 2 ** attempt, LONGEST_DELAY);
  return retryAfter * 1000 + delay * (0.5 + random / 2);
}

/** Nothing has happened, and the answer says when to come back. */
const isRefusedForNow = ({ status, retryAfter }: TidingsError): boolean =>
  (status === 429 || status === 503) && retryAfter !== null;

/** May have happened or not, and may go well another time. What a provider refused, it would refuse again. */
function isPassing({ code, status }: TidingsError): boolean {
  if (code === "network_error" || code === "timeout") return true;
  if (code === "invalid_response") return status === null || status < 300 || status >= 500;
  return status !== null && status >= 500 && code !== "provider_error";
}
