import { faultOfUrl, isSuccess } from "../../shared/upstream.ts";
import { retryAfterMs } from "./webhooks.retries.ts";
import type { DeliveryAttempt } from "./webhooks.schemas.ts";
import { signedHeaders } from "./webhooks.signing.ts";

/** Until the answer's status. */
export const ENDPOINT_ANSWER_MS = 15_000;
/** Then for the part of the body that is kept. */
const BODY_MS = 2000;
const MAX_BODY_BYTES = 4096;

export interface EndpointRequest {
  url: string;
  /** Every secret that signs at this time. */
  secrets: readonly string[];
  id: string;
  body: string;
}

/** The result of a call; `retryAfterMs` is the pause that the endpoint asked for. */
export interface EndpointAnswer {
  attempt: DeliveryAttempt;
  isSuccess: boolean;
  isTimeout: boolean;
  retryAfterMs: number | null;
}

interface Caller {
  now(): number;
  fetcher: typeof fetch;
  allowPrivate: boolean;
}

class TimedOut extends Error {}

async function within<T>(ms: number, work: Promise<T>, onLate: () => void): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    onLate();
    late.reject(new TimedOut());
  }, ms);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** The first 4 KB of an answer. An endpoint that closes early, or never ends, has answered all the same. */
async function readStart(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  if (reader === undefined) return "";
  const decoder = new TextDecoder();
  let text = "";
  let room = MAX_BODY_BYTES;
  const read = async () => {
    while (room > 0) {
      const { done, value } = await reader.read();
      if (done) return;
      text += decoder.decode(value.subarray(0, room), { stream: true });
      room -= value.byteLength;
    }
  };
  await within(BODY_MS, read(), () => undefined).catch(() => undefined);
  await reader.cancel().catch(() => undefined);
  return text.replaceAll("\0", "");
}

const describeStatus = (status: number): string | null => {
  if (isSuccess({ status })) return null;
  return status >= 300 && status < 400 ? "Redirects are not followed." : `The endpoint answered ${status}.`;
};

/** Sends one request and reads the answer. Never throws: whatever happens is what the attempt came to. */
export async function callEndpoint(
  { url, secrets, id, body }: EndpointRequest,
  { now, fetcher, allowPrivate }: Caller,
): Promise<EndpointAnswer> {
  const at = now();
  const end = (status: number | null, error: string | null, response: string | null, others = {}): EndpointAnswer => ({
    attempt: { at, status, duration_ms: now() - at, error, response },
    isSuccess: error === null,
    isTimeout: false,
    retryAfterMs: null,
    ...others,
  });
  const fault = faultOfUrl(url, allowPrivate);
  if (fault !== null) return end(null, `The address may not be called. ${fault}`, null);
  const abort = new AbortController();
  try {
    const headers = signedHeaders({ id, body, now: at }, secrets);
    const init = { method: "POST", headers, body, redirect: "manual", signal: abort.signal } as const;
    const response = await within(ENDPOINT_ANSWER_MS, fetcher(url, init), () => abort.abort());
    const { status } = response;
    const text = await readStart(response);
    return end(status, describeStatus(status), text, {
      retryAfterMs: retryAfterMs(response.headers.get("Retry-After"), now()),
    });
  } catch (error) {
    if (error instanceof TimedOut) return end(null, "No answer within 15 seconds.", null, { isTimeout: true });
    return end(null, "The endpoint could not be reached.", null);
  }
}
