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
   * How often the client retries a failed call. It only retries if the call cannot take effect twice. Defaults
   * to 2.
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
   * For 24 hours, only one call with this key takes effect. By default, each call has a new key, which its
   * retries also use.
   */
  idempotencyKey?: string | undefined;
}

export interface ChangeOptions extends WriteOptions {
  /** The `revision` that you have read. If the record has changed since, the call throws `precondition_failed`. */
  ifMatch?: number | undefined;
}

/** `revision` is missing in a stored response of an earlier version of Tidings, which had no revisions. */
export type Revisioned<Answer> = Answer & { revision?: number };

/** A stream can be read only once. The upload of a stream is therefore not retried. */
export type MediaFile = Blob | ArrayBuffer | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;

export interface UploadOptions extends WriteOptions {
  /** For example, `image/jpeg`. Defaults to the type of the Blob. */
  contentType?: string | undefined;
}
