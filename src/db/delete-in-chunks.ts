import type { Database } from "../shared/context.ts";
import type { SQL } from "./statement.ts";
import { sql } from "./sql.ts";

/** Rows that one statement deletes. A database runs one statement at a time, and other requests wait meanwhile. */
const CHUNK = 1000;
/** 20,000 rows a run and table: more than the minute until the next run adds. */
const CHUNKS_PER_RUN = 20;

export interface OldRows {
  table: string;
  /** The columns of its primary key. */
  key: string;
  /** True in SQL for the rows to delete; an index finds them. */
  condition: SQL;
}

/** Deletes rows a bounded chunk at a time; the next run deletes the rest. */
export async function deleteInChunks(db: Database, { table, key, condition }: OldRows): Promise<void> {
  const [name, columns] = [sql.raw(table), sql.raw(key)];
  for (let chunk = 0; chunk < CHUNKS_PER_RUN; chunk++) {
    const { meta } = await db.run(sql`
      DELETE FROM ${name} WHERE (${columns}) IN (SELECT ${columns} FROM ${name} WHERE ${condition} LIMIT ${CHUNK})`);
    if (meta.changes < CHUNK) return;
  }
}
