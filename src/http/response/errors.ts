import type { Context } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import * as z from "zod";
import {
  AppError,
  boundError,
  type ErrorCode,
  isDatabaseFull,
  isStorageUnavailable,
  isTooBig,
} from "../../shared/errors.ts";
import { log } from "../../shared/logger.ts";
import type { AppEnv } from "../app-env.ts";

export const statusOf = {
  invalid_json: 400,
  validation_failed: 400,
  unauthorized: 401,
  plan_required: 402,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  invalid_state: 409,
  cursor_expired: 410,
  precondition_failed: 412,
  payload_too_large: 413,
  range_not_satisfiable: 416,
  unsupported_media_type: 415,
  window_closed: 422,
  template_not_approved: 422,
  channel_mismatch: 422,
  missing_variable: 422,
  no_recipients: 422,
  unsubscribed: 422,
  unsupported_message: 422,
  unreachable: 422,
  media_invalid: 422,
  idempotency_key_reused: 422,
  rate_limited: 429,
  internal_error: 500,
  provider_error: 502,
  unavailable: 503,
} as const satisfies Record<ErrorCode, ContentfulStatusCode>;

/**
 * The retry delay if the database is full. Every minute, the cron deletes expired rows, which may free enough
 * space; otherwise the operator must free some.
 */
const FULL_RETRY_SECONDS = 60;

export function toAppError(error: unknown, requestId: string): AppError {
  if (error instanceof AppError) return error;
  if (isTooBig(error)) return new AppError("payload_too_large", "The record would be too large. Send less data.");
  if (isDatabaseFull(error)) {
    log.error("database_full", { requestId, error });
    return new AppError(
      "unavailable",
      "Storage is full. Writes fail until the operator frees space.",
      null,
      FULL_RETRY_SECONDS,
    );
  }
  log.error("request_failed", { requestId, error });
  return isStorageUnavailable(error)
    ? new AppError("unavailable", "Storage is busy. Try again shortly.", null, 2)
    : new AppError("internal_error", "Something went wrong on our side. Quote the request id if it persists.");
}

/** Keeps the whole response below 64 KB. */
const MAX_ERROR_BYTES = 63_000;

const unsatisfiable = z.object({ bytes: z.number() });

function setContentRange({ code, details }: AppError, c: Context<AppEnv>): void {
  const size = unsatisfiable.safeParse(details).data?.bytes;
  if (code === "range_not_satisfiable" && size !== undefined) c.header("Content-Range", `bytes */${size}`);
}

export function setRetryAfter({ code, retryAfter }: AppError, c: Context<AppEnv>): void {
  if (code === "rate_limited" || code === "unavailable") c.header("Retry-After", String(retryAfter));
}

export function respondWithError(thrown: unknown, c: Context<AppEnv>): Response {
  const error = toAppError(thrown, c.var.requestId);
  c.set("errorCode", error.code);
  if (error.code === "unauthorized") c.header("WWW-Authenticate", "Bearer");
  c.header("Link", `</docs/errors#${error.code}>; rel="help"`);
  setRetryAfter(error, c);
  setContentRange(error, c);
  const bound = boundError(error, MAX_ERROR_BYTES);
  return c.json({ success: false, error: bound, request_id: c.var.requestId }, statusOf[error.code]);
}
