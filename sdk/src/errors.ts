import type { Refusal } from "./generated/types.ts";

/** The type of `details` for each `code` of the API and of the client. */
type Details = { [Each in Refusal as Each["code"]]: Each["details"] } & {
  /** The connection to the service failed or broke. */
  network_error: null;
  /** The service did not respond within the timeout. */
  timeout: null;
  /** The response is incomplete, or another server sent it, such as a proxy. */
  invalid_response: null;
  /** The signature of a webhook request is wrong, too old, or belongs to another secret. */
  invalid_signature: null;
  /** The signature of a webhook request is valid, but the body is not JSON. */
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
  /** The HTTP status. Null if there was no response. */
  readonly status: number | null;
  /** The id of the request. Include it when you report a problem. */
  readonly requestId: string | null;
  /** Seconds to wait before a retry. Null if the response does not contain them. */
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

  /** After `instanceof`, TypeScript knows the union, in which `code` determines the type of `details`. */
  static override [Symbol.hasInstance](value: unknown): value is TidingsError {
    return Function.prototype[Symbol.hasInstance].call(this, value);
  }
}

/** The error of a failed call. `code` is the reason and determines the type of `details`. */
export type TidingsError = { [Code in ErrorCode]: CodedError<Code> }[ErrorCode];

export const TidingsError: { [Symbol.hasInstance](value: unknown): value is TidingsError } = CodedError;

export const createError = <Code extends ErrorCode>(
  code: Code,
  message: string,
  details: Details[Code],
  circumstances?: Circumstances,
): CodedError<Code> => new CodedError(code, message, details, circumstances);
