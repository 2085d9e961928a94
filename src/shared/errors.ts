/** Every error code of the contract; `http/errors.ts` gives each its status. */
export const errorCodes = [
  "invalid_json",
  "validation_failed",
  "unauthorized",
  "plan_required",
  "forbidden",
  "not_found",
  "method_not_allowed",
  "conflict",
  "invalid_state",
  "idempotency_in_progress",
  "payload_too_large",
  "unsupported_media_type",
  "window_closed",
  "template_not_approved",
  "channel_mismatch",
  "missing_variable",
  "no_recipients",
  "unsubscribed",
  "idempotency_key_reused",
  "rate_limited",
  "internal_error",
  "provider_error",
  "unavailable",
] as const;

export type ErrorCode = (typeof errorCodes)[number];

export interface Fault {
  path: string;
  code: string;
  message: string;
}

/** A refusal the caller is meant to see: `message` says what to do, `details` follows the contract's table. */
export class AppError extends Error {
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details: unknown = null,
    /** Seconds, for `rate_limited` and `unavailable`. */
    readonly retryAfter = 1,
  ) {
    super(message);
  }
}

export const notFound = (what: string) => new AppError("not_found", `No such ${what}.`);

export function invalid(...faults: Fault[]): AppError {
  const paths = [...new Set(faults.map(({ path }) => path))];
  const named = paths.slice(0, 5).join(", ") + (paths.length > 5 ? ` and ${paths.length - 5} more` : "");
  return new AppError("validation_failed", `Check ${named}.`, faults);
}

const isWorthAsking = (error: unknown): boolean =>
  error instanceof Error && Reflect.get(error, "retryable") === true && Reflect.get(error, "overloaded") !== true;

/** Calls a Durable Object; once more, at once, when the platform says that is worth it. */
export const askObject = <T>(ask: () => Promise<T>): Promise<T> =>
  ask().catch((error: unknown) => (isWorthAsking(error) ? ask() : Promise.reject(error)));

const OVERLOADED = /overloaded|too many requests queued/i;
const TRANSIENT =
  /network connection lost|storage caused object to be reset|reset because its code was updated|database is locked|SQLITE_BUSY/i;
/** Whatever databases, queues, caches, buckets and objects say when they fail, known reasons and unknown ones. */
const PLATFORM =
  /D1_|SQLITE_|Failed query|\b(?:KV|R2|queue|durable object|storage|network|subrequests?)\b|internal error|time(?:d )?\s?out|exceeded/i;

const someMessage = (error: unknown, test: (message: string) => boolean): boolean =>
  error instanceof Error && (test(error.message) || someMessage(error.cause, test));

/** True for storage errors that say "later": nothing is known to be wrong with the request. */
export const isStorageUnavailable = (error: unknown): boolean =>
  someMessage(error, (message) => OVERLOADED.test(message) || TRANSIENT.test(message));

/** True where the platform may be what failed, and not the work that was given to it. In doubt it is. */
export function isPlatformFailure(error: unknown): boolean {
  if (error instanceof Error && ("remote" in error || "retryable" in error || "overloaded" in error)) return true;
  return isStorageUnavailable(error) || someMessage(error, (message) => PLATFORM.test(message));
}
