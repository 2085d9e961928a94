import { sql } from "drizzle-orm";
import { marketingChoices, marketingSuppressions, optIns, suppressions } from "../../../db/schema/index.ts";
import type { SQL } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { providerOf, samePeopleCte } from "../identity/identify-people.sql.ts";

/** The tables of opt-outs from everything and from marketing only. Their columns are the same. */
export type OptOutList = "suppressions" | "marketing_suppressions";

/** The latest opt-out under one of these keys, or null. */
export function optedOutUnder(ctx: Ctx, keys: readonly SQL[], list: OptOutList = "suppressions"): SQL {
  // One look-up per key reads nothing on a miss; IN would read its list row by row.
  const at = keys.map(
    (key) =>
      sql`coalesce((SELECT opted_out_at FROM ${sql.identifier(list)} WHERE workspace_id = ${ctx.workspace.id} AND key = ${key}), 0)`,
  );
  return sql`nullif(max(0, ${sql.join(at, sql`, `)}), 0)`;
}

/**
 * The time at which the person opted out, or null. Triggers copy an opt-out to all keys of a person, so the contact's id and number
 * are enough to find it.
 */
export const optedOutAt = (ctx: Ctx, contactId: SQL, phoneKey: SQL, list?: OptOutList): SQL =>
  optedOutUnder(ctx, [contactId, phoneKey], list);

/** The opt-out keys of the contacts that `seqs` selects: ids, numbers and identities. */
export const suppressionKeysBySeqs = (seqs: SQL): SQL => sql`
  WITH ${samePeopleCte(seqs)}
  SELECT c.id AS key FROM people CROSS JOIN contacts c ON c.seq = people.seq
  UNION ALL SELECT c.phone_key FROM people CROSS JOIN contacts c ON c.seq = people.seq AND c.phone_key IS NOT NULL
  UNION ALL SELECT i.provider || ':' || i.external_id FROM people CROSS JOIN contact_identities i ON i.contact_seq = people.seq`;

/** The opt-out keys of one contact. */
export const suppressionKeysBySeq = (seq: SQL): SQL => suppressionKeysBySeqs(sql`SELECT ${seq} AS seq`);

/** Stores an opt-out at the time `at` under the keys that `keys` selects. A later opt-out moves the time forward. */
export const insertSuppressions = (
  ctx: Ctx,
  keys: SQL,
  at: number,
  condition: SQL,
  list: OptOutList = "suppressions",
): SQL => sql`
    INSERT INTO ${sql.identifier(list)} (workspace_id, key, opted_out_at)
    SELECT ${ctx.workspace.id}, key, ${at} FROM (${keys}) WHERE ${condition}
    ON CONFLICT (workspace_id, key) DO UPDATE SET opted_out_at = excluded.opted_out_at WHERE excluded.opted_out_at > opted_out_at`;

/** Lifts opt-outs up to `at`. Later ones stay, in any order of arrival. */
export const deleteSuppressions = (
  ctx: Ctx,
  keys: SQL,
  condition: SQL,
  { at = ctx.now(), list = "suppressions" }: { at?: number; list?: OptOutList } = {},
): SQL =>
  sql`
    DELETE FROM ${sql.identifier(list)}
    WHERE workspace_id = ${ctx.workspace.id} AND key IN (${keys}) AND opted_out_at <= ${at} AND ${condition}`;

/** The opt-out key of a user id of the connection's provider. */
export const optOutKeyOfUserId = (connectionId: string, userId: string | SQL): SQL =>
  sql`${providerOf(connectionId)} || ':' || ${userId}`;

/** The tables with rows by opt-out key, and their time columns. */
export const OPT_OUT_TABLES = [
  { table: suppressions, at: sql`opted_out_at` },
  { table: marketingSuppressions, at: sql`opted_out_at` },
  { table: marketingChoices, at: sql`chosen_at` },
  { table: optIns, at: sql`opted_in_at` },
];

/**
 * Copies the latest opt-outs, up to `until`, from one set of keys to another. Rows in `opt_out_keys` would also copy them back, to
 * a number that now belongs to another person.
 */
export const copyOptOuts = (
  ctx: Ctx,
  { from, to, until }: { from: SQL; to: SQL; until: number },
  condition: SQL,
): SQL[] =>
  OPT_OUT_TABLES.map(
    ({ table, at }) => sql`
      INSERT INTO ${table} (workspace_id, key, ${at})
      SELECT ${ctx.workspace.id}, t.key, latest.at
      FROM (SELECT max(s.${at}) AS at FROM (${from}) f
        CROSS JOIN ${table} s ON s.workspace_id = ${ctx.workspace.id} AND s.key = f.key AND s.${at} <= ${until}) latest CROSS JOIN (${to}) t
      WHERE latest.at IS NOT NULL AND ${condition}
      ON CONFLICT (workspace_id, key) DO UPDATE SET ${at} = excluded.${at} WHERE excluded.${at} > ${at}`,
  );
