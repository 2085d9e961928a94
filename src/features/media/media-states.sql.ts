import { sql, type SQL } from "drizzle-orm";
import type { MediaType } from "../../channels/content.ts";
import type { ColumnsOf } from "../../db/columns.ts";
import type { media } from "../../db/schema/index.ts";
import { activeTypes, mediaLimits } from "./media.kinds.ts";

type StateColumns = ColumnsOf<typeof media, "status" | "source" | "expiresAt">;

export const isUploading = ({ status, source }: ColumnsOf<typeof media, "status" | "source">): SQL =>
  sql`(${status} = 'pending' AND ${source} IS NULL)`;

/** `deleteMedia` marks the row, then deletes the bytes, then the row. This is true for a marked row. */
export const isBeingDeleted = ({ status, expiresAt }: ColumnsOf<typeof media, "status" | "expiresAt">): SQL =>
  sql`(${status} = 'expired' AND ${expiresAt} IS NOT NULL)`;

export const isVisible = (file: StateColumns): SQL => sql`NOT (${isUploading(file)} OR ${isBeingDeleted(file)})`;

/**
 * True if `refusalOfFile` accepts the file. Also true for a pending file, because the file is checked after its
 * download.
 */
export function isAcceptedFile(
  { status, mimeType, bytes: size }: ColumnsOf<typeof media, "status" | "mimeType" | "bytes">,
  kind: MediaType,
): SQL {
  const { bytes, mimeTypes } = mediaLimits[kind];
  const types = JSON.stringify(mimeTypes ?? activeTypes);
  const isListed = sql`${mimeType} IN (SELECT e.value FROM json_each(${types}) e)`;
  const isOfKind = mimeTypes === null ? sql`NOT ${isListed}` : isListed;
  return sql`(${status} = 'pending' OR ${status} = 'stored' AND ${size} <= ${bytes} AND ${isOfKind})`;
}
