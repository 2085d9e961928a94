import { sql } from "drizzle-orm";
import type { SQL } from "../../db/statement.ts";

/**
 * The CTE `walked`: the `id` of each workspace with rows in a table whose key or index begins with it. Each step is one lookup.
 * Raw, because the builder has no recursive CTE.
 */
export function walkWorkspaces(name: "event_chunks" | "event_outbox"): SQL {
  const table = sql.identifier(name);
  return sql`WITH RECURSIVE steps (id) AS (
      SELECT min(workspace_id) FROM ${table}
      UNION ALL SELECT (SELECT min(workspace_id) FROM ${table} WHERE workspace_id > steps.id) FROM steps WHERE steps.id IS NOT NULL),
    walked AS (SELECT id FROM steps WHERE id IS NOT NULL)`;
}
