import { readFile } from "node:fs/promises";
import { basename, extname } from "node:path";
import type { Command } from "commander";
import type { MediaUploadAnswer, Tidings } from "../src/index.ts";
import { print, UsageError } from "./output.ts";

const TYPES = new Map([
  [".jpg", "image/jpeg"],
  [".jpeg", "image/jpeg"],
  [".png", "image/png"],
  [".webp", "image/webp"],
  [".mp4", "video/mp4"],
  [".3gp", "video/3gpp"],
  [".mp3", "audio/mpeg"],
  [".aac", "audio/aac"],
  [".amr", "audio/amr"],
  [".ogg", "audio/ogg"],
  [".pdf", "application/pdf"],
]);

interface UploadFlags {
  type?: string;
  filename?: string;
  idempotencyKey?: string;
}

export const isWebAddress = (given: string): boolean => /^https?:\/\//.test(given);

/** Uploads a local file. Throws `UsageError` if the file is not readable. */
export async function uploadFile(tidings: Tidings, path: string, flags: UploadFlags = {}): Promise<MediaUploadAnswer> {
  const bytes = await readFile(path).catch(() => {
    throw new UsageError(`${path} is not a readable file, not an address, and not the id of a stored file.`);
  });
  const {
    type: contentType = TYPES.get(extname(path).toLowerCase()) ?? "application/octet-stream",
    filename = basename(path),
    idempotencyKey,
  } = flags;
  return tidings.media.upload(new Blob([bytes]), { contentType, filename, idempotencyKey });
}

export function addMediaUpload(program: Command, connect: () => Tidings): void {
  program
    .command("media")
    .description("files of messages")
    .command("upload <file>")
    .description("upload a local file, or a file at an address")
    .option("--type <type>", "content type, like image/png; default: by its extension")
    .option("--filename <name>", "stored name; default: the name of the file")
    .option("--idempotency-key <key>", "prevents a second upload if the command is repeated")
    .action(async (file: string, flags: UploadFlags) => {
      const { filename, idempotencyKey } = flags;
      const answer = isWebAddress(file)
        ? await connect().media.upload({ url: file, filename }, { idempotencyKey })
        : await uploadFile(connect(), file, flags);
      print(JSON.stringify(answer, null, 2));
    });
}
