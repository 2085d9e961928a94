import { sql } from "../../db/sql.ts";
import type { SQL } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import type { WakeableObject } from "../../shared/wakeable-object.ts";

/**
 * Has an object woken after each batch that appends to the log of the workspace, until `until`. Writes nothing where it is woken
 * until `atLeast` already: who listens again and again writes seldom.
 */
export const listenForEvents = (
  ctx: Ctx,
  [kind, name]: WakeableObject,
  { atLeast, until }: { atLeast: number; until: number },
): SQL => sql`
  INSERT INTO event_listeners (workspace_id, kind, id, until) VALUES (${ctx.workspace.id}, ${kind}, ${name}, ${until})
  ON CONFLICT (workspace_id, kind, id) DO UPDATE SET until = excluded.until WHERE until < ${atLeast}`;

/** As good as never: the year 9999. */
const FOR_GOOD = 253_402_300_799_000;

/** Has an object woken after each batch that appends to the log, where `condition` holds, until `stopListening`. */
export const startListening = (ctx: Ctx, [kind, name]: WakeableObject, condition: SQL): SQL => sql`
  INSERT INTO event_listeners (workspace_id, kind, id, until)
  SELECT ${ctx.workspace.id}, ${kind}, ${name}, ${FOR_GOOD} WHERE ${condition} ON CONFLICT DO NOTHING`;

/** Has an object no longer woken, where `condition` holds. */
export const stopListening = (ctx: Ctx, [kind, name]: WakeableObject, condition: SQL = sql`TRUE`): SQL => sql`
  DELETE FROM event_listeners WHERE workspace_id = ${ctx.workspace.id} AND kind = ${kind} AND id = ${name} AND ${condition}`;
