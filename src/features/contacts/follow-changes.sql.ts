import { sql } from "drizzle-orm";
import type { SQL } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { phoneKey } from "../../shared/phone.ts";
import { suppressionKeys } from "./contacts.sql.ts";
import { identityKeyOf } from "./identify-people.sql.ts";

/** Changes told of the same second may lead in a circle, which ends here. */
const MAX_CHANGES = 20;

/** A START may seem up to this much earlier than an opt-out it followed, since providers give times in whole seconds. */
export const WHOLE_SECOND_MS = 999;

type Names = { phone: string | null; userId: string | null };

/**
 * The names, as `name`, `key` and `step`, that somebody had one after the other since `at`, as far as notices of changes tell,
 * beginning with `name` itself. A name that is given up by several belonged to the person until the first of these changes: the
 * later ones are of those who took it since.
 */
function following(
  ctx: Ctx,
  first: SQL,
  at: number,
  { from, to, toKey }: { from: SQL; to: SQL; toKey: (change: SQL) => SQL },
): SQL {
  const next = sql`(
    SELECT connection_id, provider_message_id FROM number_changes x
    WHERE x.workspace_id = ${ctx.workspace.id} AND x.${from} = later.key AND x.${from} IS NOT NULL AND x.changed_at >= later.at
      AND x.${from} <> ${toKey(sql`x`)}
    ORDER BY x.changed_at LIMIT 1)`;
  return sql`
    WITH RECURSIVE later (name, key, at, step) AS (
      SELECT f.name, f.key, ${at}, 0 FROM (${first}) f
      UNION ALL SELECT n.${to}, ${toKey(sql`n`)}, n.changed_at, later.step + 1 FROM later CROSS JOIN number_changes n
        ON (n.connection_id, n.provider_message_id) = ${next} WHERE later.step < ${MAX_CHANGES})
    SELECT name, key, at, step FROM later`;
}

/** As `following`, of a number. */
export const followingPhones = (ctx: Ctx, phone: string, at: number): SQL =>
  following(ctx, sql`SELECT ${phone} AS name, ${phoneKey(phone)} AS key`, at, {
    from: sql`from_phone_key`,
    to: sql`to_phone`,
    toKey: (change) => sql`${change}.to_phone_key`,
  });

/** As `following`, of an id of the connection's provider. */
export const followingUserIds = (ctx: Ctx, connectionId: string, userId: string, at: number): SQL =>
  following(ctx, sql`SELECT ${userId} AS name, ${identityKeyOf(connectionId, userId)} AS key`, at, {
    from: sql`from_user_key`,
    to: sql`to_user_id`,
    toKey: (change) => identityKeyOf(connectionId, sql`${change}.to_user_id`),
  });

/** What opt-outs are kept under by the names that somebody got after `at` in place of these. */
export const keysFollowing = (ctx: Ctx, connectionId: string, { phone, userId }: Names, at: number): SQL =>
  sql.join(
    [
      ...(phone === null ? [] : [sql`SELECT key FROM (${followingPhones(ctx, phone, at)}) WHERE step > 0`]),
      ...(userId === null
        ? []
        : [sql`SELECT key FROM (${followingUserIds(ctx, connectionId, userId, at)}) WHERE step > 0`]),
      sql`SELECT NULL AS key WHERE FALSE`,
    ],
    sql` UNION ALL `,
  );

/** Keeps that whoever `keys` selects asked for everything again at `at`. */
export const noteOptIn = (ctx: Ctx, keys: SQL, at: number, condition: SQL): SQL => sql`
  INSERT INTO opt_ins (workspace_id, key, opted_in_at)
  SELECT DISTINCT ${ctx.workspace.id}, key, ${at} FROM (${keys}) WHERE ${condition}
  ON CONFLICT (workspace_id, key) DO UPDATE SET opted_in_at = excluded.opted_in_at WHERE excluded.opted_in_at > opted_in_at`;

/** Where a choice to be sent something again is kept, and the opt-outs that it lifts. */
const CHOICES = [
  { list: sql`suppressions`, choices: sql`opt_ins`, chosenAt: sql`opted_in_at`, lag: WHOLE_SECOND_MS },
  // A choice to stop is kept with the same time as the opt-out: that one stays.
  { list: sql`marketing_suppressions`, choices: sql`marketing_choices`, chosenAt: sql`chosen_at`, lag: -1 },
];

/**
 * Lifts opt-outs that were told only after a later choice to be sent something again; choices before `since` do not count, as
 * they may be of somebody else. One kept under a key of `keys` holds for that key; one under any of the contact's for all of these.
 */
export const liftOlderOptOuts = (
  ctx: Ctx,
  { keys, seq, since }: { keys: SQL; seq: SQL; since: number },
  condition: SQL,
): SQL[] =>
  CHOICES.flatMap(({ list, choices, chosenAt, lag }) => {
    const chosen = sql`SELECT max(o.${chosenAt}) FROM ${choices} o WHERE o.workspace_id = ${ctx.workspace.id} AND o.${chosenAt} >= ${since}`;
    const own = suppressionKeys(seq);
    return [
      sql`
        DELETE FROM ${list} AS s WHERE workspace_id = ${ctx.workspace.id} AND key IN (${keys}) AND ${condition}
        AND opted_out_at <= (${chosen} AND o.key = s.key) + ${lag}`,
      sql`
        DELETE FROM ${list} AS s WHERE workspace_id = ${ctx.workspace.id} AND key IN (${own}) AND ${condition}
        AND opted_out_at <= (${chosen} AND o.key IN (${own})) + ${lag}`,
    ];
  });
