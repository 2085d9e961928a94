// Files as channels send and fetch them.

/** A file of ours that is to be sent. */
export interface MediaFile {
  id: string;
  mimeType: string;
  bytes: number;
  /** Hex. */
  sha256: string;
  filename: string | null;
  /** Streams the bytes; each call reads them anew. */
  read(): Promise<ReadableStream<Uint8Array>>;
  /** A signed address that anyone may read the file at for an hour. Throws `MediaUnavailable` where Tidings has no public address. */
  link(): Promise<string>;
}

/** A file at a provider, by its id there. `isReused`: it was uploaded before, and so may have lapsed. */
export interface UploadedMedia {
  id: string;
  isReused: boolean;
}

/** The files of a workspace. */
export interface MediaLibrary {
  /** Throws `MediaUnavailable` where there is none that can be sent. */
  open(mediaId: string): Promise<MediaFile>;
  /** The provider's id for a file that was uploaded there through this connection, while it holds, unless it is `lapsed`; else null. */
  findUpload(connectionId: string, file: MediaFile, lapsed?: string | null): Promise<string | null>;
  /**
   * Runs `work` once no upload of the file through this connection is under way in another request or job of this isolate, so that
   * it finds what that one has stored. Throws where that takes too long.
   */
  inTurn<T>(connectionId: string, file: MediaFile, work: () => Promise<T>): Promise<T>;
  /** Keeps the provider's id, which holds for `forMs`. */
  storeUpload(connectionId: string, file: MediaFile, providerMediaId: string, forMs: number): Promise<void>;
  /** Runs an upload of this name. All who ask for it meanwhile share it, and its failure. */
  shareUpload(name: string, run: () => Promise<UploadedMedia>): Promise<UploadedMedia>;
}

/** The file cannot be sent: it is gone, failed, or not reachable for the provider. */
export class MediaUnavailable extends Error {}

/** A file at a provider, as it streams in. */
export interface FetchedMedia {
  body: ReadableStream<Uint8Array>;
  /** As the provider says; the bytes decide. */
  mimeType: string | null;
  /** The announced length; null where there is none. */
  bytes: number | null;
}
