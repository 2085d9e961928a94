export interface TidingsOptions {
  /** Key of the public API. Default: the environment variable `TIDINGS_API_KEY`. */
  apiKey?: string | undefined;
  /**
   * Address of your deployment, such as `https://tidings.example.com`. Default: the environment variable
   * `TIDINGS_BASE_URL`.
   */
  baseUrl?: string | undefined;
  /** The operator's token, for `tidings.manage`. */
  adminToken?: string | undefined;
  /** Replaces the global `fetch`, for example with a service binding or a proxy. */
  fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  /** Timeout of one attempt, in milliseconds. Default: 60,000. `Infinity` means no timeout. */
  timeout?: number | undefined;
  /** How often a failed call is retried, if it can be repeated safely. Default: 2. */
  maxRetries?: number | undefined;
}

/** Options of one call. */
export interface CallOptions {
  /** Aborts the call, its retries and the reading of the body. The call throws the reason of the signal. */
  signal?: AbortSignal | undefined;
  /** Timeout of one attempt, in milliseconds. Default: the timeout of the client. */
  timeout?: number | undefined;
  /** Additional headers. They replace headers of the client that have the same name. */
  headers?: Record<string, string> | undefined;
}

/** Options of a call that writes. */
export interface WriteOptions extends CallOptions {
  /**
   * For 24 hours, another call with this key has no effect. By default, each call has a new key, which its retries also
   * use.
   */
  idempotencyKey?: string | undefined;
}

/** Options of a call that changes or deletes a record. */
export interface ChangeOptions extends WriteOptions {
  /**
   * The `revision` of the record that you read. If the record has changed since, the call throws `precondition_failed`.
   */
  ifMatch?: number | undefined;
}

/** A response and the revision of its record. Missing in stored responses from before revisions existed. */
export type Revisioned<Answer> = Answer & { revision?: number };

/** The bytes of a file. A stream can be read only once, so its upload is not retried. */
export type MediaFile = Blob | ArrayBuffer | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;

export interface UploadOptions extends WriteOptions {
  /** Content type, such as `image/jpeg`. Default: the type of the Blob. */
  contentType?: string | undefined;
}
