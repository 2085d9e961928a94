import { type MediaFile, type MediaLibrary, MediaUnavailable, type UploadedMedia } from "../../src/channels/channel.ts";

export interface ShelvedFile {
  bytes: Uint8Array<ArrayBuffer>;
  mimeType: string;
  filename?: string;
}

export class MediaShelf implements MediaLibrary {
  readonly files = new Map<string, MediaFile>();
  readonly stored = new Map<string, { id: string; forMs: number }>();
  reads = 0;

  async put(id: string, { bytes, mimeType, filename }: ShelvedFile): Promise<MediaFile> {
    const sha256 = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
    const file: MediaFile = {
      id,
      mimeType,
      bytes: bytes.byteLength,
      sha256,
      filename: filename ?? null,
      read: () => {
        this.reads++;
        return Promise.resolve(inPieces(bytes));
      },
      link: () => Promise.reject(new MediaUnavailable("Tidings has no public address.")),
    };
    this.files.set(id, file);
    return file;
  }

  open(mediaId: string): Promise<MediaFile> {
    const file = this.files.get(mediaId);
    return file === undefined ? Promise.reject(new MediaUnavailable("The file has expired.")) : Promise.resolve(file);
  }

  findUpload(connectionId: string, file: MediaFile, lapsed: string | null = null): Promise<string | null> {
    const id = this.stored.get(`${connectionId} ${file.id}`)?.id ?? null;
    return Promise.resolve(id === lapsed ? null : id);
  }

  shareUpload = (_: string, run: () => Promise<UploadedMedia>): Promise<UploadedMedia> => run();

  inTurn = <T>(_: string, __: MediaFile, work: () => Promise<T>): Promise<T> => work();

  storeUpload(connectionId: string, file: MediaFile, id: string, forMs: number): Promise<void> {
    this.stored.set(`${connectionId} ${file.id}`, { id, forMs });
    return Promise.resolve();
  }
}

function inPieces(bytes: Uint8Array<ArrayBuffer>, pieceBytes = 1000): ReadableStream<Uint8Array> {
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.byteLength) return controller.close();
      controller.enqueue(bytes.slice(at, at + pieceBytes));
      at += pieceBytes;
    },
  });
}
