import { type HttpIo, ProviderError, type SendOutcome } from "./channel.ts";
import type { MessageError, ConnectionNotice } from "./channel-events.ts";
import {
  isSuccess,
  type Upstream,
  type UpstreamAnswer,
  UpstreamRefused,
  type UpstreamRequest,
  type UpstreamStream,
} from "../shared/network/upstream.ts";

export const ANSWER_NOT_UNDERSTOOD = "The provider's response was not understood.";

const MAX_TEXT = 500;

export const excerpt = (text: string): string => Array.from(text).slice(0, MAX_TEXT).join("");

export const messageError = (
  code: MessageError["code"],
  message: string,
  providerCode: string | null = null,
): MessageError => ({ code, message: excerpt(message), providerCode });

export const refusedOutcome = (code: MessageError["code"], message: string): SendOutcome => ({
  kind: "refused",
  error: messageError(code, message),
});

/**
 * A server can return a 408 although it has read the whole request. So the provider may have sent the message, as
 * after a 5xx.
 */
const REQUEST_TIMEOUT = 408;

function retryAfterMs(headers: Headers): number | null {
  const seconds = Number(headers.get("Retry-After") ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? Math.min(seconds, 3600) * 1000 : null;
}

export const withDelay = (headers: Headers, atLeastMs = 0): { afterMs?: number } => {
  const afterMs = Math.max(retryAfterMs(headers) ?? 0, atLeastMs);
  return afterMs > 0 ? { afterMs } : {};
};

export const errorNotice = (detail: string): ConnectionNotice => ({ status: "error", detail: excerpt(detail) });

/**
 * Returns `retry` only for a 429, because the provider has then not accepted the message and may accept it later.
 * Returns `lost` for a 5xx, because the provider may have sent the message, and a retry could send it twice.
 */
export function outcomeOfStatus({ status, headers }: UpstreamAnswer, text: string): SendOutcome {
  const providerCode = String(status);
  const said = text === "" ? `The provider returned ${status}.` : text;
  if (status === 429)
    return {
      kind: "retry",
      error: messageError("rate_limited", said, providerCode),
      scope: "connection",
      ...withDelay(headers),
    };
  if (status >= 500 || status === REQUEST_TIMEOUT)
    return { kind: "lost", error: messageError("provider_unreachable", said, providerCode) };
  if (status === 401 || status === 403)
    return { kind: "refused", error: messageError("account_blocked", said, providerCode), notice: errorNotice(said) };
  if (status >= 300 && status < 400) {
    const message = "The provider's address redirects to another address. Tidings does not follow redirects.";
    return { kind: "refused", error: messageError("provider_rejected", message, providerCode) };
  }
  if (status >= 400) return { kind: "refused", error: messageError("provider_rejected", said, providerCode) };
  return { kind: "lost", error: messageError("provider_unreachable", ANSWER_NOT_UNDERSTOOD) };
}

/**
 * Throws if the provider does not respond. If the error is an `UpstreamClosed`, the request was not sent. After any
 * other error, the provider may have received the request, and a retry could send the message twice.
 */
export async function callToSend(
  upstream: Upstream,
  request: UpstreamRequest,
  outcomeOf: (answer: UpstreamAnswer) => SendOutcome,
): Promise<SendOutcome> {
  try {
    return outcomeOf(await upstream(request));
  } catch (error) {
    if (!(error instanceof UpstreamRefused)) throw error;
    return {
      kind: "refused",
      error: messageError("provider_rejected", error.message),
      notice: errorNotice(error.message),
    };
  }
}

export function toProviderError(outcome: SendOutcome, providerCode?: string): ProviderError {
  if (outcome.kind === "accepted") return new ProviderError(ANSWER_NOT_UNDERSTOOD);
  const { error } = outcome;
  const notice = outcome.kind === "lost" ? null : (outcome.notice ?? null);
  return new ProviderError(excerpt(error.message), providerCode ?? error.providerCode, notice);
}

async function withProviderError<T>(call: Promise<T>, otherwise: string): Promise<T> {
  try {
    return await call;
  } catch (error) {
    throw new ProviderError(error instanceof UpstreamRefused ? error.message : otherwise);
  }
}

const NOT_REACHED = "The provider could not be reached, or did not respond in time.";

export async function callForSuccess(
  upstream: Upstream,
  request: UpstreamRequest,
  errorOf: (answer: UpstreamAnswer) => ProviderError,
): Promise<UpstreamAnswer> {
  const answer = await withProviderError(upstream(request), NOT_REACHED);
  if (isSuccess(answer)) return answer;
  throw errorOf(answer);
}

export async function callForJson(
  upstream: Upstream,
  request: UpstreamRequest,
  errorOf: (answer: UpstreamAnswer) => ProviderError,
): Promise<unknown> {
  const answer = await callForSuccess(upstream, request, errorOf);
  if (answer.json !== null) return answer.json;
  throw errorOf(answer);
}

export const downloadFile = ({ download }: HttpIo, request: UpstreamRequest): Promise<UpstreamStream> =>
  withProviderError(download(request), "The file could not be fetched from the provider.");

export function announcedLength(headers: Headers): number | null {
  const length = headers.get("Content-Length") ?? "";
  const encoding = headers.get("Content-Encoding") ?? "identity";
  return /^\d{1,15}$/.test(length) && encoding === "identity" ? Number(length) : null;
}
