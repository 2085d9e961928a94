// A guard makes its batch fail on purpose: it calls `json_extract` with an invalid path that names the reason.
// SQLite's error message contains the path, so the caller can read the reason from the error.
import { sql, type SQL } from "drizzle-orm";
import { revisionConflict } from "../shared/edit-conflicts.ts";

type Reason = "facts changed" | "rows changed" | "several contacts" | "replay exists" | "message refused";

const FAILED = /bad JSON path: '?guard: (?<reason>[a-z ]+)/;
const OTHER_REVISION = /bad JSON path: '?revision (?<revision>\d+)/;

const matchError = (error: unknown, pattern: RegExp) =>
  error instanceof Error ? pattern.exec(error.message)?.groups : undefined;

export const failBatchUnless = (condition: SQL, reason: Reason): SQL =>
  sql`SELECT iif(${condition}, 0, json_extract('{}', ${sql.raw(`'guard: ${reason}'`)}))`;

export const hasGuardFailed = (error: unknown, reason?: Reason): boolean => {
  const failed = matchError(error, FAILED)?.["reason"];
  return failed !== undefined && (reason === undefined || failed === reason);
};

export const failOnOtherRevision = (record: SQL, revisions: readonly number[], condition: SQL): SQL => sql`
  SELECT json_extract('{}', 'revision ' || revision) FROM (${record})
  WHERE revision NOT IN (SELECT value FROM json_each(${JSON.stringify(revisions)})) AND ${condition}`;

export function rethrowRevisionFailure(error: unknown): never {
  const revision = matchError(error, OTHER_REVISION)?.["revision"];
  if (revision === undefined) throw error;
  throw revisionConflict(Number(revision));
}
