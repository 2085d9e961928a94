import { sql } from "drizzle-orm";
import * as z from "zod";
import { fetchRows, statement } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";

const connectionOfMessage = z.object({ id: z.string(), connection_id: z.string() });

/** The connection of each message, by the message's id. No trip where there are none. */
export async function findConnectionsOfMessages(ctx: Ctx, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const found = statement(
    connectionOfMessage,
    sql`
      SELECT m.id AS id, m.connection_id AS connection_id FROM json_each(${JSON.stringify(ids)}) i
      CROSS JOIN messages m ON m.id = i.value AND m.workspace_id = ${ctx.workspace.id}`,
  );
  return new Map((await fetchRows(ctx.db, found)).map((row) => [row.id, row.connection_id]));
}
