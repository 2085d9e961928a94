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

export const invalid = (...faults: Fault[]) =>
  new AppError("validation_failed", `Check ${faults.map((fault) => fault.path).join(", ")}.`, faults);
