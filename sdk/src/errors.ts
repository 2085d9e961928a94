import type { Refusal } from "./generated/types.ts";

/** The type of `details` for each `code`. The API defines most codes, and the client adds those below. */
type Details = { [Each in Refusal as Each["code"]]: Each["details"] } & {
  /** The connection failed or broke. */
  network_error: null;
  /** No response arrived within the timeout. */
  timeout: null;
  /** The response is incomplete, or it is not from Tidings but, for example, from a proxy. */
  invalid_response: null;
  /** The signature is wrong, too old, or made with another secret. */
  invalid_signature: null;
  /** The signature is valid, but the body is not JSON. */
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
  static override readonly name = "TidingsError";
  override readonly name = "TidingsError";
  readonly code: Code;
  readonly details: Details[Code];
  /** The HTTP status, or null if there was no response. */
  readonly status: number | null;
  /** Include this id when you report a problem. */
  readonly requestId: string | null;
  /** How many seconds to wait before a retry. If the response does not say, this is null. */
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

  static override [Symbol.hasInstance](value: unknown): value is TidingsError {
    return Function.prototype[Symbol.hasInstance].call(this, value);
  }
}

/** The error that a failed call throws. `code` is the reason, and the type of `details` depends on `code`. */
export type TidingsError = { [Code in ErrorCode]: CodedError<Code> }[ErrorCode];

export const TidingsError: { [Symbol.hasInstance](value: unknown): value is TidingsError } = CodedError;

export const createError = <Code extends ErrorCode>(
  code: Code,
  message: string,
  details: Details[Code],
  circumstances?: Circumstances,
): CodedError<Code> => new CodedError(code, message, details, circumstances);
