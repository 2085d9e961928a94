import type { Refusal } from "./generated/types.ts";

/** The shape of an error's `details` for each `code` of the API and of the client. */
type Details = { [Each in Refusal as Each["code"]]: Each["details"] } & {
  /** The service couldn't be reached, or the connection broke. */
  network_error: null;
  /** No response within the timeout. */
  timeout: null;
  /** The response is incomplete, or is not from Tidings, but for example from a proxy. */
  invalid_response: null;
  /** The signature of a webhook's body is wrong, too old, or created with another secret. */
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
  static override readonly name = "TidingsError";
  override readonly name = "TidingsError";
  readonly code: Code;
  readonly details: Details[Code];
  /** The HTTP status. Null if there was no response. */
  readonly status: number | null;
  /** Id of the request. Include the id in reports. */
  readonly requestId: string | null;
  /** Seconds to wait before a retry, if the response contains them. */
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

  /** Makes `instanceof` narrow to the union, in which the code determines the type of the details. */
  static override [Symbol.hasInstance](value: unknown): value is TidingsError {
    return Function.prototype[Symbol.hasInstance].call(this, value);
  }
}

/** The error of a failed call. Its `code` names the reason and determines the shape of `details`. */
export type TidingsError = { [Code in ErrorCode]: CodedError<Code> }[ErrorCode];

export const TidingsError: { [Symbol.hasInstance](value: unknown): value is TidingsError } = CodedError;

export const createError = <Code extends ErrorCode>(
  code: Code,
  message: string,
  details: Details[Code],
  circumstances?: Circumstances,
): CodedError<Code> => new CodedError(code, message, details, circumstances);
