import type { Refusal } from "./generated/types.ts";

/** The shape of an error's `details`, by its `code`: those of the API, and of what happens on the way to it. */
type Details = { [Each in Refusal as Each["code"]]: Each["details"] } & {
  /** No answer: the service couldn't be reached, or the connection broke. */
  network_error: null;
  /** No answer within the timeout. */
  timeout: null;
  /** The answer is not one of Tidings': of a proxy perhaps, or cut off. */
  invalid_response: null;
  /** A webhook's body is not what was signed, or was signed long ago, or with another secret. */
  invalid_signature: null;
  /** A webhook's body has a valid signature, but is not JSON. */
  invalid_body: null;
};

type ErrorCode = keyof Details;

interface Circumstances {
  status?: number;
  requestId?: string | null;
  retryAfter?: number | null;
  cause?: unknown;
}

class CodedError<Code extends ErrorCode = ErrorCode> extends Error {
  /** Shown where an error is printed. */
  static override readonly name = "TidingsError";
  override readonly name = "TidingsError";
  readonly code: Code;
  readonly details: Details[Code];
  /** The HTTP status; null without an answer. */
  readonly status: number | null;
  /** Quote it to support. */
  readonly requestId: string | null;
  /** Seconds after which to try again, where the answer says so. */
  readonly retryAfter: number | null;

  constructor(code: Code, message: string, details: Details[Code], circumstances: Circumstances = {}) {
    const { status = null, requestId = null, retryAfter = null, cause } = circumstances;
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    this.details = details;
    this.status = status;
    this.requestId = requestId;
    this.retryAfter = retryAfter;
  }

  /** Makes `instanceof` narrow to the union, in which the code decides the details. */
  static override [Symbol.hasInstance](value: unknown): value is TidingsError {
    return Function.prototype[Symbol.hasInstance].call(this, value);
  }
}

/** A failed call throws this. Its `code` says why and decides what is in `details`. */
export type TidingsError = { [Code in ErrorCode]: CodedError<Code> }[ErrorCode];

export const TidingsError: { [Symbol.hasInstance](value: unknown): value is TidingsError } = CodedError;

export const createError = <Code extends ErrorCode>(
  code: Code,
  message: string,
  details: Details[Code],
  circumstances?: Circumstances,
): CodedError<Code> => new CodedError(code, message, details, circumstances);
