import { faultOfAddress } from "./addresses.ts";
import { parseJsonOrNull } from "../text/json.ts";

export interface UpstreamRequest {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  url: string;
  headers: Record<string, string>;
  body?: string | ReadableStream<Uint8Array>;
  withinMs?: number;
}

export interface UpstreamAnswer {
  status: number;
  headers: Headers;
  json: unknown;
}

export const isSuccess = ({ status }: { status: number }): boolean => status >= 200 && status < 300;

/**
 * If a call throws `UpstreamRefused` or `UpstreamClosed`, nothing was sent. After any other error, the server
 * may already have processed the request.
 */
export type Upstream = (request: UpstreamRequest) => Promise<UpstreamAnswer>;

export interface UpstreamStream {
  status: number;
  headers: Headers;
  body: ReadableStream<Uint8Array> | null;
}

export type Download = (request: UpstreamRequest) => Promise<UpstreamStream>;

/**
 * A Worker can have six open connections at a time. `fetch` would delay a seventh call until one of them ends,
 * and its timeout would already be running.
 */
const AT_ONCE = 6;
/**
 * Limits the time from the start of the call to the first byte of the response. This includes the time to
 * connect, because `fetch` does not report when it has connected.
 */
const FIRST_BYTE_MS = 8000;
/** Limits the whole call. A Worker can run for 30 s after its response and also needs time for other work. */
const WHOLE_MS = 12_000;
const MAX_ANSWER_BYTES = 4_000_000;

export class UpstreamRefused extends Error {}

export class UpstreamClosed extends Error {}

type Gate = <T>(work: () => Promise<T>) => Promise<T>;

export function createGate(): Gate {
  let free = AT_ONCE;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free++;
      else next();
    }
  };
}

async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > MAX_ANSWER_BYTES) throw new Error("The provider's response is too large.");
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

async function exchange(
  fetcher: typeof fetch,
  { method, url, headers, body }: UpstreamRequest,
  { signal, answering }: { signal: AbortSignal; answering(): void },
): Promise<UpstreamAnswer> {
  const response = await fetcher(url, { method, headers, body: body ?? null, redirect: "manual", signal });
  answering();
  return { status: response.status, headers: response.headers, json: parseJsonOrNull(await readText(response)) };
}

/** Also rejects at the timeout if `fetch` ignores the abort and keeps running. */
async function call(fetcher: typeof fetch, request: UpstreamRequest): Promise<UpstreamAnswer> {
  const late = new AbortController();
  const end = Promise.withResolvers<never>();
  late.signal.addEventListener("abort", () => end.reject(late.signal.reason));
  const abortAfter = (ms: number) =>
    setTimeout(() => late.abort(new Error(`The provider took longer than ${ms} ms.`)), ms);
  const { withinMs = WHOLE_MS } = request;
  const [whole, firstByte] = [abortAfter(Math.min(WHOLE_MS, withinMs)), abortAfter(FIRST_BYTE_MS)];
  try {
    const answering = () => clearTimeout(firstByte);
    return await Promise.race([exchange(fetcher, request, { signal: late.signal, answering }), end.promise]);
  } finally {
    clearTimeout(firstByte);
    clearTimeout(whole);
  }
}

interface UpstreamOptions {
  allowPrivate: boolean;
  fetcher: typeof fetch;
  gate?: Gate;
  isOpen?: () => boolean;
}

/**
 * Creates the `upstream` of one request or job. It checks every address, does not follow redirects, and makes
 * at most six calls at a time.
 */
export function createUpstream({
  allowPrivate,
  fetcher,
  gate = createGate(),
  isOpen = () => true,
}: UpstreamOptions): Upstream {
  return async (request) => {
    const fault = faultOfUrl(request.url, allowPrivate);
    if (fault !== null) throw new UpstreamRefused(`The provider's address is not allowed. ${fault}`);
    return gate(() => {
      if (!isOpen()) throw new UpstreamClosed("No more calls can start.");
      return call(fetcher, request);
    });
  };
}

/** `withinMs` limits only the time until the response starts, because downloading a large file takes longer. */
export function createDownload({ allowPrivate, fetcher }: Pick<UpstreamOptions, "allowPrivate" | "fetcher">): Download {
  return async ({ method, url, headers, body = null, withinMs = FIRST_BYTE_MS }) => {
    const fault = faultOfUrl(url, allowPrivate);
    if (fault !== null) throw new UpstreamRefused(`The provider's address is not allowed. ${fault}`);
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(new Error(`No response within ${withinMs} ms.`)), withinMs);
    try {
      return await fetcher(url, { method, headers, body, redirect: "manual", signal: late.signal });
    } finally {
      clearTimeout(timer);
    }
  };
}

/** Unlike `faultOfAddress`, accepts a query and a fragment. */
export function faultOfUrl(url: string, allowPrivate: boolean): string | null {
  if (!URL.canParse(url)) return "Must be a URL.";
  const address = new URL(url);
  address.search = "";
  address.hash = "";
  return faultOfAddress(address.href, { allowPrivate });
}
