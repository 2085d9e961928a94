export interface TidingsOptions {
  /** A key of the public API. Defaults to the environment variable `TIDINGS_API_KEY`. */
  apiKey?: string | undefined;
  /**
   * Where Tidings runs, such as `https://tidings.example.com`. Defaults to the environment variable
   * `TIDINGS_BASE_URL`.
   */
  baseUrl?: string | undefined;
  /** The operator's token. Only `tidings.manage` needs it. */
  adminToken?: string | undefined;
  /** Replaces the global `fetch`, for example to use a service binding or a proxy. */
  fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  /** How many milliseconds one attempt may take. Defaults to 60,000. `Infinity` means no timeout. */
  timeout?: number | undefined;
  /**
   * How many times the client retries a failed call. Defaults to 2. If a retry could make the call take effect
   * twice, the client does not retry it.
   */
  maxRetries?: number | undefined;
}

export interface CallOptions {
  /** Aborts the call, even between retries or while the body is read. The call then throws the signal's reason. */
  signal?: AbortSignal | undefined;
  /** How many milliseconds one attempt may take. Defaults to the client's timeout. */
  timeout?: number | undefined;
  /** Additional headers. They replace the client's headers with the same name. */
  headers?: Record<string, string> | undefined;
}

export interface WriteOptions extends CallOptions {
  /**
   * If you repeat a call with the same key within 24 hours, it does not take effect again. By default, the client
   * creates a new key for each call, and sends the same key with the retries of that call.
   */
  idempotencyKey?: string | undefined;
}

export interface ChangeOptions extends WriteOptions {
  /** The record's `revision` when you read it. If it has changed since, the call fails with `precondition_failed`. */
  ifMatch?: number | undefined;
}

/**
 * If you repeat a call with the same idempotency key, Tidings returns the stored response of the first call. This
 * response has no `revision` if a version of Tidings without revisions stored it.
 */
export type Revisioned<Answer> = Answer & { revision?: number };

/** A stream can be read only once. The upload of a stream is therefore not retried. */
export type MediaFile = Blob | ArrayBuffer | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;

export interface UploadOptions extends WriteOptions {
  /** For example, `image/jpeg`. Defaults to the type of the Blob. */
  contentType?: string | undefined;
}
