// Classifies a provider's HTTP response by its status if the body does not explain it.
import { type MessageError, ProviderError, type SendOutcome } from "./channel.ts";
import type { ConnectionNotice } from "./connection-status.ts";
import {
  isSuccess,
  type Upstream,
  type UpstreamAnswer,
  UpstreamRefused,
  type UpstreamRequest,
} from "../shared/upstream.ts";

export const ANSWER_NOT_UNDERSTOOD = "The provider's answer was not understood.";

const MAX_TEXT = 500;

/** The provider's own words, truncated. */
export const excerpt = (text: string): string => Array.from(text).slice(0, MAX_TEXT).join("");

export const messageError = (
  code: MessageError["code"],
  message: string,
  providerCode: string | null = null,
): MessageError => ({ code, message: excerpt(message), providerCode });

/** The server timed out while reading a request that it may have received in full. */
const REQUEST_TIMEOUT = 408;

/** `Retry-After` in ms; providers send seconds. At most one hour. */
function retryAfterMs(headers: Headers): number | null {
  const seconds = Number(headers.get("Retry-After") ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? Math.min(seconds, 3600) * 1000 : null;
}

export const withDelay = (headers: Headers, atLeastMs = 0): { afterMs?: number } => {
  const afterMs = Math.max(retryAfterMs(headers) ?? 0, atLeastMs);
  return afterMs > 0 ? { afterMs } : {};
};

/** The connection fails until somebody changes its settings. */
export const errorNotice = (detail: string): ConnectionNotice => ({ status: "error", detail: excerpt(detail) });

/**
 * An outcome by status alone; `text` is the provider's message, if any. Only 429 means that the message was not accepted and may be
 * retried: a 5xx may follow a message that was sent, behind a gateway and at the provider itself.
 */
export function outcomeOfStatus({ status, headers }: UpstreamAnswer, text: string): SendOutcome {
  const providerCode = String(status);
  const said = text === "" ? `The provider answered ${status}.` : text;
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
    const message = "The provider's address answered with a redirect, which is not followed.";
    return { kind: "refused", error: messageError("provider_rejected", message, providerCode) };
  }
  if (status >= 400) return { kind: "refused", error: messageError("provider_rejected", said, providerCode) };
  return { kind: "lost", error: messageError("provider_unreachable", ANSWER_NOT_UNDERSTOOD) };
}

/**
 * Makes a send call. A blocked address is a refusal; a thrown error means that the response was lost, except `UpstreamClosed`. Lost
 * includes refused connections, which the runtime reports like those cut after the request was read, and unknown hosts, which it
 * reports as an internal error.
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

/** The error of an interactive call, derived from the outcome that the same response to a send would have. */
export function toProviderError(outcome: SendOutcome, providerCode?: string): ProviderError {
  if (outcome.kind === "accepted") return new ProviderError(ANSWER_NOT_UNDERSTOOD);
  const { error } = outcome;
  const notice = outcome.kind === "lost" ? null : (outcome.notice ?? null);
  return new ProviderError(excerpt(error.message), providerCode ?? error.providerCode, notice);
}

/** Makes an interactive call. Throws `ProviderError` for any response that cannot be used. */
export async function callToAsk(
  upstream: Upstream,
  request: UpstreamRequest,
  errorOf: (answer: UpstreamAnswer) => ProviderError,
): Promise<unknown> {
  let answer: UpstreamAnswer;
  try {
    answer = await upstream(request);
  } catch (error) {
    throw new ProviderError(
      error instanceof UpstreamRefused
        ? error.message
        : "The provider could not be reached, or did not answer in time.",
    );
  }
  if (isSuccess(answer) && answer.json !== null) return answer.json;
  throw errorOf(answer);
}
