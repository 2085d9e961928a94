// Lost updates: a request names the revision of a record that it was made from, and its batch fails where that is not the newest.
import { sql, type SQL } from "drizzle-orm";
import { revisionConflict } from "../shared/edit-conflicts.ts";

/** SQLite puts a path that is none into its message, which is how a failed batch gives a value. */
const REFUSED = /bad JSON path: '?revision (\d+)/;

/**
 * Fails the batch, which `refuseOtherRevision` explains, where `condition` holds and the record has none of the revisions. `record`
 * selects it as `revision`: where there is no row, nothing fails.
 */
export const failOnOtherRevision = (record: SQL, revisions: readonly number[], condition: SQL): SQL => sql`
  SELECT json_extract('{}', 'revision ' || revision) FROM (${record})
  WHERE revision NOT IN (SELECT value FROM json_each(${JSON.stringify(revisions)})) AND ${condition}`;

/** Throws `precondition_failed` for the failure of a batch by `failOnOtherRevision`, and any other error as it is. */
export function refuseOtherRevision(error: unknown): never {
  const text = error instanceof Error ? error.message : "";
  const revision = REFUSED.exec(text)?.[1];
  if (revision === undefined) throw error;
  throw revisionConflict(Number(revision));
}
