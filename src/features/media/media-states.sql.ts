// SQL conditions on files: states that no column stores, and the files that messages accept.
import { sql, type SQL } from "drizzle-orm";
import type { MediaType } from "../../channels/content.ts";
import type { ColumnsOf } from "../../db/columns.ts";
import type { media } from "../../db/schema/index.ts";
import { activeTypes, mediaLimits } from "./media.kinds.ts";

type StateColumns = ColumnsOf<typeof media, "status" | "source" | "expiresAt">;

/** True while an upload runs, and after an interrupted upload. */
export const isUploading = ({ status, source }: ColumnsOf<typeof media, "status" | "source">): SQL =>
  sql`(${status} = 'pending' AND ${source} IS NULL)`;

/** True for a deleted file whose bytes or row remain. The bytes are deleted first. */
export const isBeingDeleted = ({ status, expiresAt }: ColumnsOf<typeof media, "status" | "expiresAt">): SQL =>
  sql`(${status} = 'expired' AND ${expiresAt} IS NOT NULL)`;

export const isVisible = (file: StateColumns): SQL => sql`NOT (${isUploading(file)} OR ${isBeingDeleted(file)})`;

/**
 * True if `refusalOfFile` accepts the file for this kind of message. Also true for a pending file, which is checked
 * after its fetch.
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
