import { sql, type SQL } from "drizzle-orm";
import { getTableConfig, type SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Database } from "../shared/context.ts";

/** Rows that one statement deletes. A database runs one statement at a time, and other requests wait meanwhile. */
const CHUNK = 1000;
/** 20,000 rows a run and table: more than the minute until the next run adds. */
const CHUNKS_PER_RUN = 20;

/** The key of one column, or of several. */
function primaryKeyOf(table: SQLiteTable) {
  const { columns, primaryKeys } = getTableConfig(table);
  return primaryKeys[0]?.columns ?? columns.filter(({ primary }) => primary);
}

/** Deletes the rows for which `condition` holds, a bounded chunk at a time; the next run deletes the rest. An index finds them. */
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
