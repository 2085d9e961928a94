// The states of files that no column names, and which files messages accept. In SQL, for rows of `media` under any name.
import { sql } from "drizzle-orm";
import type { MediaType } from "../../channels/content.ts";
import type { SQL } from "../../db/statement.ts";
import { activeTypes, mediaLimits } from "./media.kinds.ts";

/** True while the bytes of an upload come in, or were left behind. */
export const isUploading = (m: SQL): SQL => sql`(${m}.status = 'pending' AND ${m}.source IS NULL)`;

/** True of a deleted file whose row is still there: its bytes go first. */
export const isBeingDeleted = (m: SQL): SQL => sql`(${m}.status = 'expired' AND ${m}.expires_at IS NOT NULL)`;

/** True of a file that calls show and messages may name. */
export const isVisible = (m: SQL): SQL => sql`NOT (${isUploading(m)} OR ${isBeingDeleted(m)})`;

/** True where the kind of message takes the file, as `refusalOfFile` has it, or where it is yet to be fetched and judged then. */
export function isAcceptedFile(m: SQL, kind: MediaType): SQL {
  const { bytes, mimeTypes } = mediaLimits[kind];
  const types = JSON.stringify(mimeTypes ?? activeTypes);
  const isListed = sql`${m}.mime_type IN (SELECT e.value FROM json_each(${types}) e)`;
  const isOfKind = mimeTypes === null ? sql`NOT ${isListed}` : isListed;
  return sql`(${m}.status = 'pending' OR ${m}.status = 'stored' AND ${m}.bytes <= ${bytes} AND ${isOfKind})`;
}
