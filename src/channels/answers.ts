// The meaning of a provider's HTTP answer where its body does not say.
import { ProviderError, type SendOutcome } from "./channel.ts";
import type { MessageError, ConnectionNotice } from "./channel-events.ts";
import {
  isSuccess,
  type Upstream,
  type UpstreamAnswer,
  UpstreamRefused,
  type UpstreamRequest,
} from "../shared/network/upstream.ts";

export const ANSWER_NOT_UNDERSTOOD = "The provider's response was not understood.";

const MAX_TEXT = 500;

/** A provider's own words, as far as they are worth keeping. */
export const excerpt = (text: string): string => Array.from(text).slice(0, MAX_TEXT).join("");

export const messageError = (
  code: MessageError["code"],
  message: string,
  providerCode: string | null = null,
): MessageError => ({ code, message: excerpt(message), providerCode });

/** A definite refusal of ours, made without a call. */
export const refusedOutcome = (code: MessageError["code"], message: string): SendOutcome => ({
  kind: "refused",
  error: messageError(code, message),
});

/** The server gave up waiting for the rest of a request that it may have read in full. */
const REQUEST_TIMEOUT = 408;

/** `Retry-After` in ms; providers send seconds. The wait is an hour at most. */
function retryAfterMs(headers: Headers): number | null {
  const seconds = Number(headers.get("Retry-After") ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? Math.min(seconds, 3600) * 1000 : null;
}

export const withDelay = (headers: Headers, atLeastMs = 0): { afterMs?: number } => {
  const afterMs = Math.max(retryAfterMs(headers) ?? 0, atLeastMs);
  return afterMs > 0 ? { afterMs } : {};
};

/** The connection does not work until somebody changes it. */
export const errorNotice = (detail: string): ConnectionNotice => ({ status: "error", detail: excerpt(detail) });

/**
 * An outcome by status alone. `text` is what the provider said, if anything. Of the statuses only 429 says that the message
 * was not taken and may come again; a 5xx may follow a message that has left, behind a gateway and at the provider itself.
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
    const message = "The provider's address returned a redirect, which is not followed.";
    return { kind: "refused", error: messageError("provider_rejected", message, providerCode) };
  }
  if (status >= 400) return { kind: "refused", error: messageError("provider_rejected", said, providerCode) };
  return { kind: "lost", error: messageError("provider_unreachable", ANSWER_NOT_UNDERSTOOD) };
}

/**
 * Makes a sending call; an address that may not be called is a refusal. To throw is to have lost the answer, unless it is
 * `UpstreamClosed`. That includes connections that were refused, which the runtime reports in the same words as those cut
 * after the request was read, and names that were not found, which it reports as an internal error.
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

/** The error of an interactive call, from the outcome that the same answer to a send would have. */
export function toProviderError(outcome: SendOutcome, providerCode?: string): ProviderError {
  if (outcome.kind === "accepted") return new ProviderError(ANSWER_NOT_UNDERSTOOD);
  const { error } = outcome;
  const notice = outcome.kind === "lost" ? null : (outcome.notice ?? null);
  return new ProviderError(excerpt(error.message), providerCode ?? error.providerCode, notice);
}

/** Makes an interactive call. Throws `ProviderError` for whatever is not an answer to use. */
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
        : "The provider could not be reached, or did not respond in time.",
    );
  }
  if (isSuccess(answer) && answer.json !== null) return answer.json;
  throw errorOf(answer);
}
