// Raw SQL, because the query builder has no recursive CTE.
import { sql, type SQLWrapper, type SQL } from "drizzle-orm";
import { columns, type ColumnsOf } from "../../../db/columns.ts";
import { numberChanges } from "../../../db/schema/index.ts";
import type { Ctx } from "../../../shared/context.ts";
import { phoneKey } from "../../../shared/text/phone.ts";
import { optOutKeyOfUserId } from "../opt-outs/opt-outs.sql.ts";

const n = columns(numberChanges, "n");
const x = columns(numberChanges, "x");
const column = columns(numberChanges);

/** Stops after this many changes, because changes with the same timestamp can form a cycle. */
const MAX_CHANGES = 20;

interface ChangeColumns {
  from: "fromPhoneKey" | "fromUserKey";
  to: "toPhone" | "toUserId";
  toKey: (change: ColumnsOf<typeof numberChanges>) => SQLWrapper;
}

/**
 * The owner of a number can change it, and then another person can get the number and change it again. Each step
 * therefore follows only the first change since `at`, because later changes belong to other people.
 */
function followChanges(ctx: Ctx, first: SQL, at: number, { from, to, toKey }: ChangeColumns): SQL {
  const next = sql`(
    SELECT ${column.connectionId}, ${column.providerMessageId} FROM number_changes x
    WHERE ${x.workspaceId} = ${ctx.workspace.id} AND ${x[from]} = later.key AND ${x[from]} IS NOT NULL AND ${x.changedAt} >= later.at
      AND ${x[from]} <> ${toKey(x)}
    ORDER BY ${x.changedAt} LIMIT 1)`;
  return sql`
    WITH RECURSIVE later (name, key, at, step) AS (
      SELECT f.name, f.key, ${at}, 0 FROM (${first}) f
      UNION ALL SELECT ${n[to]}, ${toKey(n)}, ${n.changedAt}, later.step + 1 FROM later CROSS JOIN number_changes n
        ON (${n.connectionId}, ${n.providerMessageId}) = ${next} WHERE later.step < ${MAX_CHANGES})
    SELECT name, key, at, step FROM later`;
}

export const phonesSince = (ctx: Ctx, phone: string, at: number): SQL =>
  followChanges(ctx, sql`SELECT ${phone} AS name, ${phoneKey(phone)} AS key`, at, {
    from: "fromPhoneKey",
    to: "toPhone",
    toKey: (change) => change.toPhoneKey,
  });

export const userIdsSince = (ctx: Ctx, connectionId: string, userId: string, at: number): SQL =>
  followChanges(ctx, sql`SELECT ${userId} AS name, ${optOutKeyOfUserId(connectionId, userId)} AS key`, at, {
    from: "fromUserKey",
    to: "toUserId",
    toKey: (change) => optOutKeyOfUserId(connectionId, sql`${change.toUserId}`),
  });

export const laterOptOutKeys = (
  ctx: Ctx,
  connectionId: string,
  { phone, userId }: { phone: string | null; userId: string | null },
  at: number,
): SQL =>
  sql.join(
    [
      ...(phone === null ? [] : [sql`SELECT key FROM (${phonesSince(ctx, phone, at)}) WHERE step > 0`]),
      ...(userId === null
        ? []
        : [sql`SELECT key FROM (${userIdsSince(ctx, connectionId, userId, at)}) WHERE step > 0`]),
      sql`SELECT NULL AS key WHERE FALSE`,
    ],
    sql` UNION ALL `,
  );
