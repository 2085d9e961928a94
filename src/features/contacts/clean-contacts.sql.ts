import { and, eq, gt, inArray, sql } from "drizzle-orm";
import { cleanups, contacts, workspaces } from "../../db/schema/index.ts";
import { type SQL, transact } from "../../db/statement.ts";
import type { Database } from "../../shared/context.ts";
import { SEQ_RANGE } from "./contacts.sql.ts";

type Cleanup = Omit<typeof cleanups.$inferSelect, "cursor">;

/** Oldest first. `id > 0` makes it a search by key. */
export const findCleanups = (db: Database, limit: number): Promise<Cleanup[]> =>
  db
    .select({
      id: cleanups.id,
      workspaceId: cleanups.workspaceId,
      kind: cleanups.kind,
      number: cleanups.number,
      options: cleanups.options,
    })
    .from(cleanups)
    .where(gt(cleanups.id, 0))
    .orderBy(cleanups.id)
    .limit(limit);

/** Number by id of a few workspaces. */
export async function findWorkspaceNumbers(control: Database, ids: string[]): Promise<Map<string, number>> {
  const rows = await control
    .select({ id: workspaces.id, number: workspaces.number })
    .from(workspaces)
    .where(inArray(workspaces.id, ids));
  return new Map(rows.map(({ id, number }) => [id, number]));
}

/** The assignments that clear a contact, and the contacts that have something to clear. */
function clearing({ kind, number, options }: Cleanup): { assignments: SQL; holds: SQL } {
  const [field, folded] = [`$."${number}"`, `$.f${number}`];
  const withoutField = sql`json_remove(custom_fields, ${field})`;
  const withoutFolded = sql`json_remove(folded, ${folded})`;
  switch (kind) {
    case "tag":
      return {
        assignments: sql`tags = (SELECT json_group_array(value) FROM json_each(tags) WHERE value <> ${number})`,
        holds: sql`EXISTS (SELECT 1 FROM json_each(tags) WHERE value = ${number})`,
      };
    case "field":
      return {
        assignments: sql`custom_fields = ${withoutField}, folded = ${withoutFolded}`,
        holds: sql`(json_type(custom_fields, ${field}) IS NOT NULL OR json_type(folded, ${folded}) IS NOT NULL)`,
      };
    case "option": {
      // `json_each` gives the value of a select as a list of one.
      const removed = sql`(SELECT value FROM json_each(${options}))`;
      const rest = sql`(SELECT json_group_array(value) FROM json_each(custom_fields, ${field}) WHERE value NOT IN ${removed})`;
      return {
        assignments: sql`
          custom_fields = iif(${rest} = '[]', ${withoutField}, json_set(custom_fields, ${field}, json(${rest}))),
          folded = iif(${rest} = '[]', ${withoutFolded}, folded)`,
        holds: sql`EXISTS (SELECT 1 FROM json_each(custom_fields, ${field}) WHERE value IN ${removed})`,
      };
    }
  }
}

/**
 * Clears the next `size` contacts and moves the cursor past them, in one transaction; where no contact is left, deletes the
 * cleanup and gives true. It starts at the stored cursor, so two runs at once clear two chunks.
 */
export async function cleanChunk(
  db: Database,
  cleanup: Cleanup,
  workspaceNumber: number,
  size: number,
): Promise<boolean> {
  const base = workspaceNumber * SEQ_RANGE;
  const { assignments, holds } = clearing(cleanup);
  const cursor = sql`(SELECT max(cursor, ${base}) FROM cleanups WHERE id = ${cleanup.id})`;
  const isCleanup = eq(cleanups.id, cleanup.id);
  const contactsLeft = sql`
    SELECT 1 FROM ${contacts} WHERE ${contacts.seq} > ${cleanups.cursor} AND ${contacts.seq} < ${base + SEQ_RANGE}`;
  const { remaining } = await transact(db, {
    clear: sql`
      UPDATE contacts SET ${assignments}
      WHERE seq > ${cursor} AND seq <= ${cursor} + ${size} AND seq < ${base + SEQ_RANGE} AND ${holds}`,
    move: db
      .update(cleanups)
      .set({ cursor: sql`max(${cleanups.cursor}, ${base}) + ${size}` })
      .where(isCleanup),
    end: db.delete(cleanups).where(and(isCleanup, sql`NOT EXISTS (${contactsLeft})`)),
    remaining: db.select({ id: cleanups.id }).from(cleanups).where(isCleanup),
  });
  return remaining.length === 0;
}
