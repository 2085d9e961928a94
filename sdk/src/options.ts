export interface TidingsOptions {
  /** For the public API. Left out: `TIDINGS_API_KEY` of the environment. */
  apiKey?: string | undefined;
  /** Where your Tidings runs, like `https://tidings.example.com`. Left out: `TIDINGS_BASE_URL` of the environment. */
  baseUrl?: string | undefined;
  /** For `tidings.manage`: the operator's token. */
  adminToken?: string | undefined;
  /** In place of the global `fetch`: a service binding, a proxy, a recorder. */
  fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
  /** Milliseconds that one attempt may take; 60,000 when left out, `Infinity` for no limit. */
  timeout?: number | undefined;
  /** Attempts after the first, of calls that may be repeated; 2 when left out. */
  maxRetries?: number | undefined;
}

/** For one call. */
export interface CallOptions {
  /** Ends the call, its retries and a body that is still being read; the call then throws the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Milliseconds that one attempt may take, in place of the client's. */
  timeout?: number | undefined;
  /** Sent besides the client's own, or in place of them. */
  headers?: Record<string, string> | undefined;
}

/** For one call that changes something. */
export interface WriteOptions extends CallOptions {
  /** Makes the call happen once within 24 hours, however often it is made. Left out: a new one, kept over the call's retries. */
  idempotencyKey?: string | undefined;
}

/** For one call that changes or deletes a record. */
export interface ChangeOptions extends WriteOptions {
  /** The `revision` that the change was made from. Where the record has another by now, the call throws `precondition_failed`. */
  ifMatch?: number | undefined;
}

/** An answer with the revision of its record; answers from before records had revisions lack it when they are replayed. */
export type Revisioned<Answer> = Answer & { revision?: number };

/** A file's bytes. A stream is sent once only: such an upload is not retried. */
export type MediaFile = Blob | ArrayBuffer | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;

export interface UploadOptions extends WriteOptions {
  /** The type of the bytes, like `image/jpeg`. Left out: that of the Blob. */
  contentType?: string | undefined;
}
