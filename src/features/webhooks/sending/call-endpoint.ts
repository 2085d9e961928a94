import type { BaseCtx } from "../../../shared/context.ts";
import { faultOfUrl, isSuccess } from "../../../shared/network/upstream.ts";
import { type OpenWebhook, signingSecrets } from "../open-webhook.ts";
import type { Delivery } from "../webhooks.deliveries.ts";
import { type CallResult, retryAfterMs } from "../webhooks.retries.ts";
import { signedHeaders } from "../webhooks.signing.ts";

export const ENDPOINT_TIMEOUT_MS = 15_000;
const BODY_MS = 2000;
const MAX_BODY_BYTES = 4096;

export interface EndpointRequest {
  url: string;
  secrets: readonly string[];
  id: string;
  body: string;
}

export function deliveryRequest(
  webhook: OpenWebhook,
  { id, events }: Delivery,
  texts: string[],
  now: number,
): EndpointRequest {
  const { url, batch } = webhook.record;
  const isBatch = batch !== null || events.length > 1;
  return {
    url,
    secrets: signingSecrets(webhook, now),
    id: isBatch ? id : (events[0]?.id ?? id),
    body: isBatch ? `{"events":[${texts.join()}]}` : texts.join(),
  };
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

/**
 * Reads at most 4 KB of the response. If the endpoint closes the connection early or never ends the response, we return
 * the part that arrived, because the status is already known.
 */
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
  return status >= 300 && status < 400 ? "Redirects are not followed." : `The endpoint returned ${status}.`;
};

/** Never throws: every failure is stored as the result of the attempt. */
export async function callEndpoint(ctx: BaseCtx, { url, secrets, id, body }: EndpointRequest): Promise<CallResult> {
  const at = ctx.now();
  const end = (status: number | null, error: string | null, response: string | null, others = {}): CallResult => ({
    attempt: { at, status, duration_ms: ctx.now() - at, error, response },
    isSuccess: error === null,
    isTimeout: false,
    retryAfterMs: null,
    ...others,
  });
  const fault = faultOfUrl(url, ctx.allowPrivateUpstreams);
  if (fault !== null) return end(null, `The address is not allowed. ${fault}`, null);
  const abort = new AbortController();
  try {
    const headers = signedHeaders({ id, body, now: at }, secrets);
    const init = { method: "POST", headers, body, redirect: "manual", signal: abort.signal } as const;
    const response = await within(ENDPOINT_TIMEOUT_MS, fetch(url, init), () => abort.abort());
    const { status } = response;
    const text = await readStart(response);
    return end(status, describeStatus(status), text, {
      retryAfterMs: retryAfterMs(response.headers.get("Retry-After"), ctx.now()),
    });
  } catch (error) {
    if (error instanceof TimedOut) return end(null, "No response within 15 seconds.", null, { isTimeout: true });
    return end(null, "The endpoint could not be reached.", null);
  }
}
