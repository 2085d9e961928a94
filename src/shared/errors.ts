import { cut, jsonBytes } from "./text.ts";

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

/** Names that were sent come back in paths: uncut, an answer could be many times the request. */
const MAX_SEGMENT = 100;
const MAX_PATH = 500;
const MAX_MESSAGE = 1000;
/** The search for faults ends after so many: fewer fit into an answer. */
export const MAX_FAULTS = 1000;
const MAX_FAULTS_BYTES = 56_000;

/** The path of what is called `name` within what is at `path`. */
export const faultPath = (path: string, name: string): string =>
  cut(path === "" ? cut(name, MAX_SEGMENT) : `${path}.${cut(name, MAX_SEGMENT)}`, MAX_PATH);

/** The first items that fit into so many bytes of JSON together. */
function firstWithin<T>(items: readonly T[], maxBytes: number): T[] {
  let bytes = 2;
  const end = items.findIndex((item) => (bytes += jsonBytes(item) + 1) > maxBytes);
  return end === -1 ? [...items] : items.slice(0, end);
}

/** Before the name of a parameter or header. A template's own `header` stays. */
const REQUEST_PART = /^(?:query\.|header\.(?=idempotency-key|if-match))/;

/** A fault as a sentence that names the field: "`text` is required.". */
function sentenceOf({ path, message }: Fault): string {
  const field = `\`${path.replace(REQUEST_PART, "")}\``;
  const [, predicate] = /^(?:This field|This value)( .*)$/s.exec(message) ?? [];
  if (predicate !== undefined) return field + predicate;
  return message.startsWith("Must ") ? `${field} m${message.slice(1)}` : `${field}: ${message}`;
}

/** `validation_failed`; its message is the first fault, its details are as many as an answer takes. */
export function invalid(faults: Fault | readonly Fault[]): AppError {
  const all = [faults].flat();
  const shown = all.slice(0, MAX_FAULTS).map(({ path, code, message }) => ({
    path: path.split(".").reduce(faultPath, ""),
    code,
    message: cut(message, MAX_MESSAGE),
  }));
  const [first] = shown;
  const message = first === undefined ? "The request is invalid." : cut(sentenceOf(first), MAX_MESSAGE);
  return new AppError("validation_failed", message, firstWithin(shown, MAX_FAULTS_BYTES));
}

/** An error as answers have it, in so many bytes of JSON at most: the message is cut, details are left out from the end. */
export function boundError({ code, message, details }: AppError, maxBytes: number) {
  // A character takes six bytes of JSON at most; half of the room is left to the details.
  const bound = { code, message: cut(message, Math.floor(maxBytes / 12)), details: null };
  const room = maxBytes - jsonBytes(bound);
  if (Array.isArray(details)) return { ...bound, details: firstWithin<unknown>(details, room) };
  return { ...bound, details: jsonBytes(details) > room ? null : details };
}

/** 500 results, each of at most 2 KB, have to fit into one idempotency record. */
const MAX_ROW_ERROR_BYTES = 1900;

/** The error of a row in a batch. */
export const boundRowError = (error: AppError) => boundError(error, MAX_ROW_ERROR_BYTES);

const isRetryable = (error: unknown): boolean =>
  error instanceof Error && Reflect.get(error, "retryable") === true && Reflect.get(error, "overloaded") !== true;

/** Calls a Durable Object; once more, at once, when the platform marks the error as retryable. */
export const askObject = <T>(ask: () => Promise<T>): Promise<T> =>
  ask().catch((error: unknown) => (isRetryable(error) ? ask() : Promise.reject(error)));

const OVERLOADED = /overloaded|too many requests queued/i;
const TRANSIENT =
  /network connection lost|storage caused object to be reset|reset because its code was updated|database is locked|SQLITE_BUSY/i;
/** The words of databases, queues, caches, buckets and objects when they fail, for known reasons and unknown ones. */
const PLATFORM =
  /D1_|SQLITE_|Failed query|\b(?:KV|R2|queue|durable object|storage|network|subrequests?)\b|internal error|time(?:d )?\s?out|exceeded/i;

const someMessage = (error: unknown, test: (message: string) => boolean): boolean =>
  error instanceof Error && (test(error.message) || someMessage(error.cause, test));

const TOO_BIG = /string or blob too big/i;

/** True where a value or a row is more than a database keeps in one place, 2 MB. */
export const isTooBig = (error: unknown): boolean =>
  error instanceof Error && (TOO_BIG.test(error.message) || isTooBig(error.cause));

/** True for storage errors that say "later": nothing is known to be wrong with the request. */
export const isStorageUnavailable = (error: unknown): boolean =>
  someMessage(error, (message) => OVERLOADED.test(message) || TRANSIENT.test(message));

/** True where the platform may be what failed, and not the work that was given to it. In doubt it is. */
export function isPlatformFailure(error: unknown): boolean {
  if (error instanceof Error && ["remote", "retryable", "overloaded"].some((mark) => Object.hasOwn(error, mark)))
    return true;
  return isStorageUnavailable(error) || someMessage(error, (message) => PLATFORM.test(message));
}
