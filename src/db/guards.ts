// A guard is a statement that fails its batch. It uses an invalid JSON path, because SQLite's error message includes
// the path.
import { sql, type SQL } from "drizzle-orm";
import { revisionConflict } from "../shared/edit-conflicts.ts";

/** Why the batch failed: what another request has changed since this request read its rows. */
type Reason = "facts changed" | "rows changed" | "several contacts" | "replay exists" | "message refused";

const FAILED = /bad JSON path: '?guard: (?<reason>[a-z ]+)/;
const OTHER_REVISION = /bad JSON path: '?revision (?<revision>\d+)/;

const matchError = (error: unknown, pattern: RegExp) =>
  error instanceof Error ? pattern.exec(error.message)?.groups : undefined;

export const failBatchUnless = (condition: SQL, reason: Reason): SQL =>
  sql`SELECT iif(${condition}, 0, json_extract('{}', ${sql.raw(`'guard: ${reason}'`)}))`;

/** True if a guard failed the batch. The batch changed nothing, so the caller can read again and decide again. */
export const hasGuardFailed = (error: unknown, reason?: Reason): boolean => {
  const failed = matchError(error, FAILED)?.["reason"];
  return failed !== undefined && (reason === undefined || failed === reason);
};

/** Prevents lost updates. The batch fails if `condition` is true and the record's `revision` is not in `revisions`. */
export const failOnOtherRevision = (record: SQL, revisions: readonly number[], condition: SQL): SQL => sql`
  SELECT json_extract('{}', 'revision ' || revision) FROM (${record})
  WHERE revision NOT IN (SELECT value FROM json_each(${JSON.stringify(revisions)})) AND ${condition}`;

export function rethrowRevisionFailure(error: unknown): never {
  const revision = matchError(error, OTHER_REVISION)?.["revision"];
  if (revision === undefined) throw error;
  throw revisionConflict(Number(revision));
}
