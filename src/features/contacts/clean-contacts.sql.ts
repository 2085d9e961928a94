import { sql } from "drizzle-orm";
import * as z from "zod";
import { batch } from "../../db/client.ts";
import type { SQL } from "../../db/statement.ts";
import type { Database } from "../../shared/context.ts";
import { SEQ_RANGE } from "./contacts.sql.ts";

const cleanup = z.object({
  id: z.number(),
  workspace_id: z.string(),
  kind: z.enum(["tag", "field", "option"]),
  number: z.number(),
  options: z.string(),
});

export type Cleanup = z.infer<typeof cleanup>;

/** Oldest first. */
export async function pendingCleanups(db: Database, limit: number): Promise<Cleanup[]> {
  return z
    .array(cleanup)
    .parse(
      await db.all(
        sql`SELECT id, workspace_id, kind, number, options FROM cleanups WHERE id > 0 ORDER BY id LIMIT ${limit}`,
      ),
    );
}

const numbered = z.array(z.object({ id: z.string(), number: z.number() }));

/** Number by id of workspaces. */
export async function workspaceNumbers(control: Database, ids: string[]): Promise<Map<string, number>> {
  const rows = await control.all(sql`
    SELECT w.id AS id, w.number AS number FROM json_each(${JSON.stringify(ids)}) e CROSS JOIN workspaces w ON w.id = e.value`);
  return new Map(numbered.parse(rows).map(({ id, number }) => [id, number]));
}

/** What clearing comes to on a contact, and which contacts have something to clear. */
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
      // A select's value is read as a list of one.
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
 * Clears the next `size` contact numbers and moves the cursor behind them, in one transaction; when no contact is left, ends
 * the cleanup. True when it has ended. The window is read from the cursor, so doing it at once twice does two windows.
 */
export async function cleanWindow(
  db: Database,
  pending: Cleanup,
  workspaceNumber: number,
  size: number,
): Promise<boolean> {
  const base = workspaceNumber * SEQ_RANGE;
  const { assignments, holds } = clearing(pending);
  const cursor = sql`(SELECT max(cursor, ${base}) FROM cleanups WHERE id = ${pending.id})`;
  const results = await batch(db, [
    sql`UPDATE contacts SET ${assignments}
      WHERE seq > ${cursor} AND seq <= ${cursor} + ${size} AND seq < ${base + SEQ_RANGE} AND ${holds}`,
    sql`UPDATE cleanups SET cursor = max(cursor, ${base}) + ${size} WHERE id = ${pending.id}`,
    sql`DELETE FROM cleanups WHERE id = ${pending.id} AND NOT EXISTS (
      SELECT 1 FROM contacts WHERE seq > cleanups.cursor AND seq < ${base + SEQ_RANGE})`,
    sql`SELECT id FROM cleanups WHERE id = ${pending.id}`,
  ]);
  return results.at(-1)?.length === 0;
}
