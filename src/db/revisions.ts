// Lost updates: a request names the revision of a record that it was made from, and its batch fails where that is not the newest.
import { sql, type SQL } from "drizzle-orm";
import { AppError } from "../shared/errors.ts";

/** SQLite puts a path that is none into its message, which is how a failed batch gives a value. */
const REFUSED = /bad JSON path: '?revision (\d+)/;

/**
 * Fails the batch, which `refuseOtherRevision` explains, where `condition` holds and the record has none of the revisions. `record`
 * selects it as `revision`: where there is no row, nothing fails.
 */
export const failOnOtherRevision = (record: SQL, revisions: readonly number[], condition: SQL): SQL => sql`
  SELECT json_extract('{}', 'revision ' || revision) FROM (${record})
  WHERE revision NOT IN (SELECT value FROM json_each(${JSON.stringify(revisions)})) AND ${condition}`;

/** The path in the message of a batch that `failOnOtherValues` has failed. */
const OTHER_VALUES = /bad JSON path: '?shown values/;

/** What columns of a record can hold. */
type Stored = string | number | boolean | null | undefined;

/**
 * Fails the batch where a column has neither the value that a form was made with nor the one that it is to get: somebody else has
 * changed it. `from` (`FROM … WHERE …`) finds the record, which needs no revision. Values that are not given are not compared.
 */
export function failOnOtherValues(
  from: SQL,
  columns: readonly (readonly [column: SQL, shown: Stored, wanted: Stored])[],
): SQL[] {
  const given = columns.flatMap(([column, shown, wanted]) =>
    shown === undefined || wanted === undefined ? [] : [sql`(${column} IS ${shown} OR ${column} IS ${wanted})`],
  );
  if (given.length === 0) return [];
  return [sql`SELECT json_extract('{}', 'shown values') ${from} AND NOT (${sql.join(given, sql` AND `)})`];
}

const CHANGED = "Somebody else changed this. Read it again, then repeat your change.";

const otherRevision = (revision: number): AppError => new AppError("precondition_failed", CHANGED, { revision });

/** Throws `precondition_failed` where a record that was read, and is checked again when it is written, is none of `revisions`. */
export function requireRevision(revision: number | null, revisions: readonly number[] | null): void {
  if (revisions !== null && revision !== null && !revisions.includes(revision)) throw otherRevision(revision);
}

/** Throws `precondition_failed` for the failure of a batch by the functions above, and any other error as it is. */
export function refuseOtherRevision(error: unknown): never {
  const text = error instanceof Error ? error.message : "";
  if (OTHER_VALUES.test(text)) throw new AppError("precondition_failed", CHANGED);
  const revision = REFUSED.exec(text)?.[1];
  if (revision === undefined) throw error;
  throw otherRevision(Number(revision));
}
