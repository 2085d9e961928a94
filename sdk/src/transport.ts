import { checkResponse, readJson } from "./answers.ts";
import { createError, TidingsError } from "./errors.ts";
import { createList, type List, type Query, type ReadPage } from "./list.ts";
import type { CallOptions, ChangeOptions, MediaFile, UploadOptions } from "./options.ts";
import { delayBeforeRetry } from "./retries.ts";

const LONGEST_TIMER = 2 ** 31 - 1;
/** Uploads have at least this timeout in ms by default, because a large file takes longer than other requests. */
const UPLOAD_TIMEOUT = 600_000;

interface ApiRequest {
  method: string;
  path: string;
  query?: Query | undefined;
  body?: string | MediaFile;
  contentType?: string | undefined;
  /** A request with this key can be retried, because the server does not process two requests with the same key. */
  idempotencyKey?: string;
  ifMatch?: number | undefined;
}

export interface TransportSettings {
  baseUrl: string;
  apiKey: string | undefined;
  adminToken: string | undefined;
  fetch: (url: string, init: RequestInit) => Promise<Response>;
  timeout: number;
  maxRetries: number;
}

export class Transport {
  readonly #settings: TransportSettings;

  constructor(settings: TransportSettings) {
    this.#settings = settings;
  }

  read<Answer>(path: string, query: Query | undefined, options: CallOptions | undefined): Promise<Answer> {
    return this.#send({ method: "GET", path, query }, options, readJson<Answer>);
  }

  list<Page, Item>(
    path: string,
    query: Query | undefined,
    options: CallOptions | undefined,
    read: ReadPage<Page, Item>,
  ): List<Page, Item> {
    return createList(query ?? {}, (page) => this.read<Page>(path, page, options), read);
  }

  write<Answer>(
    method: string,
    path: string,
    body: object | undefined,
    options: CallOptions | undefined,
  ): Promise<Answer> {
    return this.#send({ method, path, ...toJson(body) }, options, readJson<Answer>);
  }

  writeOnce<Answer>(
    method: string,
    path: string,
    body: object | undefined,
    { idempotencyKey = crypto.randomUUID(), ifMatch, ...options }: ChangeOptions = {},
  ): Promise<Answer> {
    return this.#send({ method, path, ...toJson(body), idempotencyKey, ifMatch }, options, readJson<Answer>);
  }

  upload<Answer>(
    path: string,
    file: MediaFile | { url: string },
    {
      contentType,
      filename,
      idempotencyKey = crypto.randomUUID(),
      ...options
    }: UploadOptions & { filename?: string | undefined } = {},
  ): Promise<Answer> {
    if (typeof file !== "object") throw new TypeError("upload accepts a file's bytes or { url }, not its name.");
    const content = isAddress(file)
      ? toJson(file)
      : { body: file, contentType: contentType ?? (file instanceof Blob ? file.type : undefined) };
    const timeout = Math.max(this.#settings.timeout, UPLOAD_TIMEOUT);
    return this.#send(
      { method: "POST", path, query: { filename }, ...content, idempotencyKey },
      { timeout, ...options },
      readJson<Answer>,
    );
  }

  download(path: string, options: CallOptions | undefined, query?: ApiRequest["query"]): Promise<Response> {
    return this.#send({ method: "GET", path, query }, options, checkResponse);
  }

  async #send<Answer>(
    request: ApiRequest,
    options: CallOptions = {},
    read: (response: Response) => Promise<Answer>,
  ): Promise<Answer> {
    const { method, body, idempotencyKey } = request;
    const headers = this.#headersOf(request, options);
    const isRepeatable = method === "GET" || idempotencyKey !== undefined;
    const maxRetries = body instanceof ReadableStream ? 0 : this.#settings.maxRetries;
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#attempt(request, headers, options, read);
      } catch (error) {
        if (attempt >= maxRetries || !(error instanceof TidingsError)) throw error;
        const delay = delayBeforeRetry(error, { attempt, isRepeatable, random: Math.random() });
        if (delay === null) throw error;
        await pause(delay, options.signal);
      }
    }
  }

  async #attempt<Answer>(
    { method, path, query = {}, body }: ApiRequest,
    headers: Headers,
    { signal, timeout = this.#settings.timeout }: CallOptions,
    read: (response: Response) => Promise<Answer>,
  ): Promise<Answer> {
    const { baseUrl, fetch } = this.#settings;
    signal?.throwIfAborted();
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), Math.min(timeout, LONGEST_TIMER));
    const init: RequestInit = {
      method,
      headers,
      signal: signal ? AbortSignal.any([signal, limit.signal]) : limit.signal,
      // The API never redirects. If `fetch` followed a redirect to another host, it could send the API key there. The
      // value "error" would fit better, but Workers do not support it.
      redirect: "manual",
    };
    // `fetch` requires `duplex` for a stream, but the type RequestInit does not have it.
    if (body !== undefined) Object.assign(init, { body, duplex: "half" });
    try {
      return await read(await fetch(baseUrl + path + searchOf(query), init));
    } catch (error) {
      if (error instanceof TidingsError) throw error;
      signal?.throwIfAborted();
      if (limit.signal.aborted) throw createError("timeout", `No response within ${timeout / 1000} s.`, null);
      throw createError("network_error", `Couldn't reach ${baseUrl}.`, null, { cause: error });
    } finally {
      clearTimeout(timer);
    }
  }

  #headersOf({ path, contentType, idempotencyKey, ifMatch }: ApiRequest, options: CallOptions): Headers {
    const { apiKey, adminToken } = this.#settings;
    const isManagement = path.startsWith("/manage/");
    const token = isManagement ? adminToken : apiKey;
    if (!token)
      throw new TypeError(
        `${path} requires ${isManagement ? "an adminToken" : "an apiKey"}: pass it to new Tidings({ … }).`,
      );
    const headers = new Headers({ Authorization: `Bearer ${token}`, Accept: "application/json" });
    if (contentType) headers.set("Content-Type", contentType);
    for (const [name, value] of Object.entries(options.headers ?? {})) headers.set(name, value);
    if (ifMatch !== undefined) headers.set("If-Match", `"${ifMatch}"`);
    if (idempotencyKey !== undefined) headers.set("Idempotency-Key", idempotencyKey);
    return headers;
  }
}

const toJson = (body: object | undefined) => body && { body: JSON.stringify(body), contentType: "application/json" };

const isAddress = (file: MediaFile | { url: string }): file is { url: string } => Object.hasOwn(file, "url");

function searchOf(query: Query): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) search.set(name, String(value));
  return search.size > 0 ? `?${search}` : "";
}

function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, milliseconds);
    signal?.addEventListener("abort", abort, { once: true });
  });
}

/**
 * Throws if an id is empty, `.` or `..`. Such an id would change the path, and the request would then call another
 * operation.
 */
export function pathOf(parts: TemplateStringsArray, ...ids: string[]): string {
  const encoded = ids.map((id) => {
    if (typeof id !== "string" || /^\.{0,2}$/.test(id)) throw new TypeError(`${JSON.stringify(id)} is not an id.`);
    return encodeURIComponent(id);
  });
  return String.raw({ raw: parts }, ...encoded);
}
