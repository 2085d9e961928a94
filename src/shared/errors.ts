import { cut, jsonBytes } from "./text/text.ts";

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
  "cursor_expired",
  "precondition_failed",
  "payload_too_large",
  "range_not_satisfiable",
  "unsupported_media_type",
  "window_closed",
  "template_not_approved",
  "channel_mismatch",
  "missing_variable",
  "no_recipients",
  "unsubscribed",
  "unsupported_message",
  "unreachable",
  "media_invalid",
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

export class AppError extends Error {
  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly details: unknown = null,
    /** Sent as the header `Retry-After`, in seconds, but only with the codes `rate_limited` and `unavailable`. */
    readonly retryAfter = 1,
  ) {
    super(message);
  }
}

export const notFound = (what: string) => new AppError("not_found", `No such ${what}.`);

export const merged = (what: string, into: string) =>
  new AppError("not_found", `This ${what} was merged into another ${what}.`, { merged_into: into });

/**
 * The messages of faults contain names from the request. With these limits, a request cannot cause a response
 * that is much larger than itself.
 */
const MAX_SEGMENT = 100;
const MAX_PATH = 500;
const MAX_MESSAGE = 1000;
export const MAX_FAULTS = 1000;
const MAX_FAULTS_BYTES = 56_000;

export const faultPath = (path: string, name: string): string =>
  cut(path === "" ? cut(name, MAX_SEGMENT) : `${path}.${cut(name, MAX_SEGMENT)}`, MAX_PATH);

function firstWithin<T>(items: readonly T[], maxBytes: number): T[] {
  let bytes = 2;
  const end = items.findIndex((item) => (bytes += jsonBytes(item) + 1) > maxBytes);
  return end === -1 ? [...items] : items.slice(0, end);
}

const REQUEST_PART = /^(?:query\.|header\.(?=idempotency-key|if-match))/;

function sentenceOf({ path, message }: Fault): string {
  const field = `\`${path.replace(REQUEST_PART, "")}\``;
  const [, predicate] = /^(?:This field|This value)( .*)$/s.exec(message) ?? [];
  if (predicate !== undefined) return field + predicate;
  return message.startsWith("Must ") ? `${field} m${message.slice(1)}` : `${field}: ${message}`;
}

export function invalid(faults: Fault | readonly Fault[]): AppError {
  const all = [faults].flat();
  const reported = all.slice(0, MAX_FAULTS).map(({ path, code, message }) => ({
    path: path.split(".").reduce(faultPath, ""),
    code,
    message: cut(message, MAX_MESSAGE),
  }));
  const [first] = reported;
  const message = first === undefined ? "The request is invalid." : cut(sentenceOf(first), MAX_MESSAGE);
  return new AppError("validation_failed", message, firstWithin(reported, MAX_FAULTS_BYTES));
}

export function boundError({ code, message, details }: AppError, maxBytes: number) {
  // One character takes up to six bytes in JSON. The message is cut so that it takes at most half of
  // `maxBytes`, and the rest is for the details.
  const bound = { code, message: cut(message, Math.floor(maxBytes / 12)), details: null };
  const room = maxBytes - jsonBytes(bound);
  if (Array.isArray(details)) return { ...bound, details: firstWithin<unknown>(details, room) };
  return { ...bound, details: jsonBytes(details) > room ? null : details };
}

/** A batch has up to 500 rows. With this limit, all their errors fit in the response that is stored for replays. */
const MAX_ROW_ERROR_BYTES = 1900;

export const boundRowError = (error: AppError) => boundError(error, MAX_ROW_ERROR_BYTES);

const isRetryable = (error: unknown): boolean =>
  error instanceof Error && Reflect.get(error, "retryable") === true && Reflect.get(error, "overloaded") !== true;

export const askObject = <T>(ask: () => Promise<T>): Promise<T> =>
  ask().catch((error: unknown) => (isRetryable(error) ? ask() : Promise.reject(error)));

/**
 * Errors of an overloaded database. They are not retried: a retry would add load, or would repeat a query that
 * is too large.
 */
const OVERLOADED = /overloaded|too many requests queued|queued for too long|exceeded its .+ limit and was reset/i;
/** The search tables are missing while `db:backup` or `db:rebuild-search` runs. */
const SEARCH_MISSING = /no such table: (?:main\.)?(?:contact|message)_search/i;
/**
 * D1 documents these errors as transient. D1 itself retries reads, but not writes: a write may have happened
 * despite the error, so the caller decides whether to retry it.
 */
const TRANSIENT =
  /network connection lost|caused object to be reset|reset because its code was updated|cannot resolve D1 DB|request stream because client disconnected|database is locked|SQLITE_BUSY/i;
const FULL = /exceeded maximum (?:DB size|account storage)|database or disk is full|SQLITE_FULL/i;
/** `fetch` throws the first of these texts, and bindings such as KV throw the second. */
const OUT_OF_SUBREQUESTS = /too many subrequests|too many API requests/i;
const PLATFORM =
  /D1_|SQLITE_|Failed query|\b(?:KV|R2|queue|durable object|storage|network|subrequests?)\b|internal error|time(?:d )?\s?out|exceeded/i;

const someMessage = (error: unknown, test: (message: string) => boolean): boolean =>
  error instanceof Error && (test(error.message) || someMessage(error.cause, test));

const TOO_BIG = /string or blob too big/i;

export const isTooBig = (error: unknown): boolean =>
  error instanceof Error && (TOO_BIG.test(error.message) || isTooBig(error.cause));

export const isDatabaseFull = (error: unknown): boolean => someMessage(error, (message) => FULL.test(message));

export const isOutOfSubrequests = (error: unknown): boolean =>
  someMessage(error, (message) => OUT_OF_SUBREQUESTS.test(message));

export const isSearchMissing = (error: unknown): boolean =>
  someMessage(error, (message) => SEARCH_MISSING.test(message));

export const isStorageUnavailable = (error: unknown): boolean =>
  isSearchMissing(error) || someMessage(error, (message) => OVERLOADED.test(message) || TRANSIENT.test(message));

export function isPlatformFailure(error: unknown): boolean {
  if (error instanceof Error && ["remote", "retryable", "overloaded"].some((mark) => Object.hasOwn(error, mark)))
    return true;
  return isStorageUnavailable(error) || someMessage(error, (message) => PLATFORM.test(message));
}
