import { faultOfAddress } from "./addresses.ts";
import { parseJsonOrNull } from "./json.ts";

export interface UpstreamRequest {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  url: string;
  headers: Record<string, string>;
  /** A stream is sent as it is read. */
  body?: string | ReadableStream<Uint8Array>;
  /** Given up after so many ms, where that is sooner than any call is. */
  withinMs?: number;
}

/** A provider's answer, read to its end. `json` is null where it is none. */
export interface UpstreamAnswer {
  status: number;
  headers: Headers;
  json: unknown;
}

export const isSuccess = ({ status }: { status: number }): boolean => status >= 200 && status < 300;

/**
 * The way out to providers. Throws `UpstreamRefused` or `UpstreamClosed` before anything was sent, and anything else when
 * the answer was lost.
 */
export type Upstream = (request: UpstreamRequest) => Promise<UpstreamAnswer>;

/** A provider's answer whose body is read by the caller, and has to be read or cancelled. */
export interface UpstreamStream {
  status: number;
  headers: Headers;
  body: ReadableStream<Uint8Array> | null;
}

/** The way out for files: as `Upstream`, but the answer's body is streamed. */
export type Download = (request: UpstreamRequest) => Promise<UpstreamStream>;

/** Workers may hold six connections at a time; a seventh would wait inside `fetch`, with its time running. */
const AT_ONCE = 6;
/** Until the answer begins, which includes connecting: `fetch` does not distinguish the two. */
const FIRST_BYTE_MS = 8000;
/** With the time a run may have taken before, well within the 30 s of work after an answer. */
const WHOLE_MS = 12_000;
const MAX_ANSWER_BYTES = 4_000_000;

/** Nothing was sent: the address may not be called. */
export class UpstreamRefused extends Error {}

/** Nothing was sent: by the time of the call's turn, no more calls were to begin. */
export class UpstreamClosed extends Error {}

type Gate = <T>(work: () => Promise<T>) => Promise<T>;

/** Lets `AT_ONCE` pieces of work run at a time. */
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
    if (size > MAX_ANSWER_BYTES) throw new Error("The provider's answer is too large.");
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

/** Ends in time, whether or not what is under way heeds the signal. */
async function call(fetcher: typeof fetch, request: UpstreamRequest): Promise<UpstreamAnswer> {
  const late = new AbortController();
  const end = Promise.withResolvers<never>();
  late.signal.addEventListener("abort", () => end.reject(late.signal.reason));
  const abortAfter = (ms: number) => setTimeout(() => late.abort(new Error(`The provider took over ${ms} ms.`)), ms);
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
  /** Shared by all ways out of one request or job. */
  gate?: Gate;
  /** Asked when a call's turn has come: no call begins while it says no. */
  isOpen?: () => boolean;
}

/**
 * The way out to providers for one request or job: checks the address anew at every call, follows no redirect, gives up
 * after a time, and makes at most six calls at once.
 */
export function createUpstream({
  allowPrivate,
  fetcher,
  gate = createGate(),
  isOpen = () => true,
}: UpstreamOptions): Upstream {
  return async (request) => {
    const fault = faultOfUrl(request.url, allowPrivate);
    if (fault !== null) throw new UpstreamRefused(`The provider's address may not be called. ${fault}`);
    return gate(() => {
      if (!isOpen()) throw new UpstreamClosed("No more calls were to begin.");
      return call(fetcher, request);
    });
  };
}

/** The way out for files, with the checks of `createUpstream`. The time until the answer begins is bounded, the body's is not. */
export function createDownload({ allowPrivate, fetcher }: Pick<UpstreamOptions, "allowPrivate" | "fetcher">): Download {
  return async ({ method, url, headers, body = null, withinMs = FIRST_BYTE_MS }) => {
    const fault = faultOfUrl(url, allowPrivate);
    if (fault !== null) throw new UpstreamRefused(`The provider's address may not be called. ${fault}`);
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(new Error(`No answer within ${withinMs} ms.`)), withinMs);
    try {
      return await fetcher(url, { method, headers, body, redirect: "manual", signal: late.signal });
    } finally {
      clearTimeout(timer);
    }
  };
}

/** The reason against calling a URL, whose query may hold anything and whose fragment is not sent; or null. */
export function faultOfUrl(url: string, allowPrivate: boolean): string | null {
  if (!URL.canParse(url)) return "This is not a URL.";
  const address = new URL(url);
  address.search = "";
  address.hash = "";
  return faultOfAddress(address.href, { allowPrivate });
}
