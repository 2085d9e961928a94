import type { BaseCtx } from "../../shared/context.ts";
import { lazily } from "../../shared/lazily.ts";
import type { EndpointAnswer, EndpointRequest } from "./call-endpoint.ts";

/** Loaded with the first event: the API starts without it. */
const loadCaller = lazily(async () => (await import("./call-endpoint.ts")).callEndpoint);

/** Makes one request to an endpoint. */
export async function sendRequest(ctx: BaseCtx, request: EndpointRequest): Promise<EndpointAnswer> {
  const callEndpoint = await loadCaller();
  return callEndpoint(request, {
    now: () => ctx.now(),
    fetcher: (...call: Parameters<typeof fetch>) => fetch(...call),
    allowPrivate: ctx.allowPrivateUpstreams,
  });
}
