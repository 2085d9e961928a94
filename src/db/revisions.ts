// Prevents lost updates: a request names the revision that it is based on, and its batch fails if the record has a newer one.
import { sql, type SQL } from "drizzle-orm";
import { revisionConflict } from "../shared/edit-conflicts.ts";

/** SQLite includes an invalid path in its message, so a failed batch can return a value. */
const REFUSED = /bad JSON path: '?revision (\d+)/;

/**
 * Fails the batch if `condition` holds and the record has none of the revisions; `rethrowRevisionFailure` explains the
 * failure. `record` selects the `revision`: without a row, nothing fails.
 */
export const failOnOtherRevision = (record: SQL, revisions: readonly number[], condition: SQL): SQL => sql`
  SELECT json_extract('{}', 'revision ' || revision) FROM (${record})
  WHERE revision NOT IN (SELECT value FROM json_each(${JSON.stringify(revisions)})) AND ${condition}`;

/** Throws `precondition_failed` if `failOnOtherRevision` failed the batch, else the given error. */
export function rethrowRevisionFailure(error: unknown): never {
  const text = error instanceof Error ? error.message : "";
  const revision = REFUSED.exec(text)?.[1];
  if (revision === undefined) throw error;
  throw revisionConflict(Number(revision));
}
