import { sql, type SQL } from "drizzle-orm";
import { getTableConfig, type SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Database } from "../shared/context.ts";

/** Rows per statement. The number is small, because D1 runs one statement at a time and other requests wait. */
const CHUNK = 1000;
/** 20 chunks are 20,000 rows per run and table. One minute adds fewer rows. */
const CHUNKS_PER_RUN = 20;

function primaryKeyOf(table: SQLiteTable) {
  const { columns, primaryKeys } = getTableConfig(table);
  return primaryKeys[0]?.columns ?? columns.filter(({ primary }) => primary);
}

/**
 * Deletes rows that match `condition`, which needs an index. Stops after a number of rows, and the next run deletes the
 * rest.
 */
export async function deleteInChunks(db: Database, table: SQLiteTable, condition: SQL | undefined): Promise<void> {
  const key = sql.join(primaryKeyOf(table), sql`, `);
  for (let chunk = 0; chunk < CHUNKS_PER_RUN; chunk++) {
    const rows = db
      .select({ key: sql`${key}` })
      .from(table)
      .where(condition)
      .limit(CHUNK);
    const { meta } = await db.delete(table).where(sql`(${key}) IN ${rows}`);
    if (meta.changes < CHUNK) return;
  }
}
