import * as z from "zod";
import { providerMedia } from "../../channels/content.ts";
import { idCursorParam, limitParam, timestamp, verbatim } from "../../http/fields.ts";
import { isCleanFilename } from "./media.names.ts";
import { hasOwn } from "../../shared/security/own.ts";
import { iso } from "../../shared/time/iso-times.ts";

export const mediaSource = z.union([
  z.strictObject({ url: z.string() }),
  z.strictObject({ connectionId: z.string(), media: providerMedia }),
]);

export type MediaSource = z.infer<typeof mediaSource>;

export const isFromUrl = (source: MediaSource) => hasOwn(source, "url");

const mediaStatus = z.enum(["pending", "stored", "failed", "expired"]).meta({ id: "MediaStatus" });

export const mediaRecord = z.object({
  id: z.string(),
  mime_type: z.string().nullable(),
  bytes: z.number().nullable(),
  sha256: z.string().nullable(),
  filename: z.string().nullable(),
  status: mediaStatus,
  reason: z.string().nullable(),
  created_at: z.number(),
});

export type MediaRecord = z.infer<typeof mediaRecord>;

export const mediaView = z
  .strictObject({
    id: z.string(),
    mime_type: z
      .string()
      .nullable()
      .meta({ description: "Type detected from the bytes, or the announced type before the bytes are stored." }),
    bytes: z.int().nullable(),
    sha256: z.string().nullable().meta({ description: "SHA-256 of the bytes, in hexadecimal." }),
    filename: z.string().nullable(),
    status: mediaStatus.meta({
      description: "`pending`: the file is being downloaded. `expired`: its bytes were deleted after 365 days.",
    }),
    reason: z.string().nullable().meta({ description: "Reason for the failure." }),
    created_at: timestamp,
  })
  .meta({ id: "Media" });

export const presentMedia = ({ created_at, ...record }: MediaRecord): z.infer<typeof mediaView> => ({
  ...record,
  created_at: iso(created_at),
});

export const filenameField = verbatim(240).refine(isCleanFilename, {
  message: "Must be a name like menu.pdf, without slashes, invisible characters, leading dots or outer spaces.",
  params: { code: "invalid_format" },
});

const filename = filenameField.optional().meta({ description: "File name for downloads. Stored exactly as sent." });

export const createMediaQuery = z.strictObject({ filename });

export const createMediaBody = z.strictObject({
  url: z
    .string()
    .max(2000)
    .meta({ description: "Public https URL. Tidings reads it once, within 15 seconds, with up to three redirects." }),
  filename,
});

export const listMediaQuery = z.strictObject({ limit: limitParam(), cursor: idCursorParam("med") });
