import { sql } from "drizzle-orm";
import { columns } from "../../../db/columns.ts";
import { contacts } from "../../../db/schema/index.ts";
import type { SQL } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { lastOptOutLiftedBy, OPT_IN_TOLERANCE_MS } from "./latest-choice.ts";
import { deleteSuppressions, insertSuppressions, optedOutAt, suppressionKeysBySeq } from "./opt-outs.sql.ts";

const c = columns(contacts, "c");

/** The tables of opt-outs, each with the table of the opt-ins that lift them. */
const OPT_IN_TABLES = [
  {
    optOuts: sql`suppressions`,
    optIns: sql`opt_ins`,
    optedInAt: sql`opted_in_at`,
    toleranceMs: OPT_IN_TOLERANCE_MS.suppressions,
  },
  {
    optOuts: sql`marketing_suppressions`,
    optIns: sql`marketing_choices`,
    optedInAt: sql`chosen_at`,
    toleranceMs: OPT_IN_TOLERANCE_MS.marketing_suppressions,
  },
];

/**
 * Deletes opt-outs that arrived only after a later opt-in. Opt-ins before `since` do not count: the key may have been somebody
 * else's then. An opt-in under a key of `keys` lifts the opt-out of that key; one under any key of the contact lifts all of the contact's.
 */
export const deleteOutdatedOptOuts = (
  ctx: Ctx,
  { keys, seq, since }: { keys: SQL; seq: SQL; since: number },
  condition: SQL,
): SQL[] =>
  OPT_IN_TABLES.flatMap(({ optOuts, optIns, optedInAt, toleranceMs }) => {
    const latestOptIn = sql`SELECT max(o.${optedInAt}) FROM ${optIns} o WHERE o.workspace_id = ${ctx.workspace.id} AND o.${optedInAt} >= ${since}`;
    const contactKeys = suppressionKeysBySeq(seq);
    return [
      sql`
        DELETE FROM ${optOuts} AS s WHERE workspace_id = ${ctx.workspace.id} AND key IN (${keys}) AND ${condition}
        AND opted_out_at <= (${latestOptIn} AND o.key = s.key) + ${toleranceMs}`,
      sql`
        DELETE FROM ${optOuts} AS s WHERE workspace_id = ${ctx.workspace.id} AND key IN (${contactKeys}) AND ${condition}
        AND opted_out_at <= (${latestOptIn} AND o.key IN (${contactKeys})) + ${toleranceMs}`,
    ];
  });

/** Opts out of everything under `keys`, unless a START from after `at` has arrived already. */
export const storeStop = (ctx: Ctx, { keys, seq, at }: { keys: SQL; seq: SQL; at: number }, condition: SQL): SQL[] => [
  insertSuppressions(ctx, keys, at, condition),
  ...deleteOutdatedOptOuts(ctx, { keys, seq, since: at }, condition),
];

/** Opts in to everything under `keys`, and keeps the time for a STOP from before `at` that arrives later. */
export const storeStart = (ctx: Ctx, keys: SQL, at: number, condition: SQL): SQL[] => [
  deleteSuppressions(ctx, keys, condition, { at: lastOptOutLiftedBy(at, "suppressions") }),
  sql`
    INSERT INTO opt_ins (workspace_id, key, opted_in_at)
    SELECT DISTINCT ${ctx.workspace.id}, key, ${at} FROM (${keys}) WHERE ${condition}
    ON CONFLICT (workspace_id, key) DO UPDATE SET opted_in_at = excluded.opted_in_at WHERE excluded.opted_in_at > opted_in_at`,
];

/** True in SQL unless contact `c` opted out between `from` and `to`, or sent START after `from` and by `to`. */
export function hasSameConsent(ctx: Ctx, from: SQL, to: SQL): SQL {
  const optedIn = sql`(SELECT opted_in_at FROM opt_ins WHERE workspace_id = ${ctx.workspace.id} AND key = ${c.id})`;
  return sql`(coalesce(${optedOutAt(ctx, c.id, c.phoneKey)}, 0) NOT BETWEEN ${from} AND ${to}
    AND coalesce(${optedIn}, 0) NOT BETWEEN ${from} + 1 AND ${to})`;
}
