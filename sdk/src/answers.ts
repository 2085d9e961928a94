import { createError } from "./errors.ts";
import type { ErrorAnswer } from "./generated/types.ts";

export async function readJson<Answer>(response: Response): Promise<Answer> {
  const body = parse(await response.text());
  if (response.ok && body?.success === true) return { ...body, ...revisionOf(response) };
  throw toError(response, body);
}

function revisionOf({ headers }: Response) {
  const [, revision] = /^(?:W\/)?"(\d+)"$/.exec(headers.get("ETag") ?? "") ?? [];
  return revision !== undefined && { revision: Number(revision) };
}

/** 304 is also a success: it is the response to `If-None-Match` if nothing has changed. */
export async function checkResponse(response: Response): Promise<Response> {
  if (response.ok || response.status === 304) return response;
  throw toError(response, parse(await response.text()));
}

function parse(text: string) {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function toError({ status, headers }: Response, body: unknown): Error {
  const circumstances = {
    status,
    requestId: headers.get("X-Request-Id"),
    retryAfter: secondsIn(headers.get("Retry-After")),
  };
  if (status < 400 || !isErrorAnswer(body)) {
    const type = headers.get("Content-Type")?.split(";")[0] ?? "no type";
    const message = `The response (status ${status}, ${type}) is not from Tidings. Check baseUrl.`;
    return createError("invalid_response", message, null, circumstances);
  }
  const { code, message, details } = body.error;
  return createError(code, message, details, circumstances);
}

function isErrorAnswer(body: unknown): body is ErrorAnswer {
  const error: unknown = fieldOf(body, "error");
  return typeof fieldOf(error, "code") === "string" && typeof fieldOf(error, "message") === "string";
}

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;

function secondsIn(retryAfter: string | null): number | null {
  if (retryAfter === null) return null;
  // An HTTP date starts with a weekday. Other text is not parsed, because `Date.parse` also returns a date for -5
  // and 1.5.
  const date = /^[a-z]/i.test(retryAfter) ? Date.parse(retryAfter) : NaN;
  const seconds = /^\d+$/.test(retryAfter) ? Number(retryAfter) : (date - Date.now()) / 1000;
  return Number.isNaN(seconds) ? null : Math.max(0, seconds);
}
