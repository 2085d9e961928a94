
export interface MediaFile {
  id: string;
  mimeType: string;
  bytes: number;
  sha256: string;
  filename: string | null;
  read(): Promise<ReadableStream<Uint8Array>>;
  /** A signed public URL of the file, valid for one hour. Throws `MediaUnavailable` if Tidings has no public address. */
  link(): Promise<string>;
}

/** A file at a provider, by its id there. `isReused`: uploaded earlier, so it may have expired. */
export interface UploadedMedia {
  id: string;
  isReused: boolean;
}

export interface MediaLibrary {
  open(mediaId: string): Promise<MediaFile>;
  /** The provider's id of an earlier upload through this connection that has not expired and is not in `lapsed`; else null. */
  findUpload(connectionId: string, file: MediaFile, lapsed?: string | null): Promise<string | null>;
  /**
   * Runs `work` after any concurrent upload of the file through this connection in this isolate, so that it finds the stored id.
   * Throws if that takes too long.
   */
  inTurn<T>(connectionId: string, file: MediaFile, work: () => Promise<T>): Promise<T>;
  storeUpload(connectionId: string, file: MediaFile, providerMediaId: string, forMs: number): Promise<void>;
  /** Runs an upload of this name. Concurrent callers share the upload and its failure. */
  shareUpload(name: string, run: () => Promise<UploadedMedia>): Promise<UploadedMedia>;
}

/** The file cannot be sent: it was deleted, has failed, or is unreachable for the provider. */
export class MediaUnavailable extends Error {}

export interface FetchedMedia {
  body: ReadableStream<Uint8Array>;
  /** The provider's statement; the bytes decide. */
  mimeType: string | null;
  bytes: number | null;
}
