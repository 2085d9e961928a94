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

/** The refusal of the id of a record that has become part of another, which `into` names. */
export const merged = (what: string, into: string) =>
  new AppError("not_found", `This ${what} has become part of another.`, { merged_into: into });

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
const TRANSIENT = /network connection lost|storage caused object to be reset|reset because its code was updated/i;

/** True for storage errors that say "later": nothing is known to be wrong with the request. */
export function isStorageUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return OVERLOADED.test(error.message) || TRANSIENT.test(error.message) || isStorageUnavailable(error.cause);
}
