export interface TidingsOptions {
  /** Key for the public API. Default: the environment variable `TIDINGS_API_KEY`. */
  apiKey?: string | undefined;
  /** Address of your deployment, like `https://tidings.example.com`. Default: the environment variable `TIDINGS_BASE_URL`. */
  baseUrl?: string | undefined;
  /** The operator's token, for `tidings.manage`. */
  adminToken?: string | undefined;
  /** Replaces the global `fetch`, for example by a service binding or a proxy. */
  fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  /** Timeout of one attempt in milliseconds. Default: 60,000. `Infinity` means no limit. */
  timeout?: number | undefined;
  /** Number of retries of a repeatable call. Default: 2. */
  maxRetries?: number | undefined;
}

/** Options of one call. */
export interface CallOptions {
  /** Aborts the call, its retries and the reading of a body. The call then throws the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Timeout of one attempt in milliseconds. Default: the timeout of the client. */
  timeout?: number | undefined;
  /** Additional headers. They replace the client's headers of the same name. */
  headers?: Record<string, string> | undefined;
}

/** Options of a call that changes something. */
export interface WriteOptions extends CallOptions {
  /**
   * Within 24 hours, repeats with the same key have no effect. Default: a new key, which all retries of the call use.
   */
  idempotencyKey?: string | undefined;
}

/** Options of a call that changes or deletes a record. */
export interface ChangeOptions extends WriteOptions {
  /**
   * The `revision` of the record that you read. If the record has another revision, the call throws
   * `precondition_failed`.
   */
  ifMatch?: number | undefined;
}

/**
 * A response with the revision of its record. The revision is missing in replays that were stored before records had
 * revisions.
 */
export type Revisioned<Answer> = Answer & { revision?: number };

/** A file's bytes. The upload of a stream is not retried, because a stream can be read only once. */
export type MediaFile = Blob | ArrayBuffer | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;

export interface UploadOptions extends WriteOptions {
  /** Content type, like `image/jpeg`. Default: the type of the Blob. */
  contentType?: string | undefined;
}
