// The states of files that no column names, and which files messages accept. In SQL, for rows of `media` under any name.
import { sql } from "drizzle-orm";
import type { MediaType } from "../../channels/content.ts";
import type { ColumnsOf } from "../../db/columns.ts";
import type { media } from "../../db/schema/index.ts";
import type { SQL } from "../../db/statement.ts";
import { activeTypes, mediaLimits } from "./media.kinds.ts";

type StateColumns = ColumnsOf<typeof media, "status" | "source" | "expiresAt">;

/** True while the bytes of an upload come in, or were left behind. */
export const isUploading = ({ status, source }: ColumnsOf<typeof media, "status" | "source">): SQL =>
  sql`(${status} = 'pending' AND ${source} IS NULL)`;

/** True of a deleted file whose row is still there: its bytes go first. */
export const isBeingDeleted = ({ status, expiresAt }: ColumnsOf<typeof media, "status" | "expiresAt">): SQL =>
  sql`(${status} = 'expired' AND ${expiresAt} IS NOT NULL)`;

/** True of a file that calls show and messages may name. */
export const isVisible = (file: StateColumns): SQL => sql`NOT (${isUploading(file)} OR ${isBeingDeleted(file)})`;

/** True where the kind of message takes the file, as `refusalOfFile` has it, or where it is yet to be fetched and judged then. */
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
