import { sql, type SQL } from "drizzle-orm";
import { getTableConfig, type SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Database } from "../shared/context.ts";

/** Rows per statement. D1 runs one statement at a time, so a long statement would delay all other requests. */
const CHUNK = 1000;
/** The cron deletes up to 20,000 rows per table every minute, and fewer rows are added per minute. */
const CHUNKS_PER_RUN = 20;

function primaryKeyOf(table: SQLiteTable) {
  const { columns, primaryKeys } = getTableConfig(table);
  return primaryKeys[0]?.columns ?? columns.filter(({ primary }) => primary);
}

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
