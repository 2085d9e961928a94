// Each key of a person has its own opt-out row. Raw SQL, because each write selects the keys of its person.
import { sql, type SQL } from "drizzle-orm";
import { columns } from "../../../db/columns.ts";
import {
  contactIdentities,
  contacts,
  marketingChoices,
  marketingSuppressions,
  optIns,
  suppressions,
} from "../../../db/schema/index.ts";
import type { Ctx } from "../../../shared/context.ts";
import { providerOf, samePeopleCte } from "../identity/identify-people.sql.ts";

const c = columns(contacts, "c");
const i = columns(contactIdentities, "i");
const optOut = columns(suppressions);
const excluded = columns(suppressions, "excluded");
const s = columns(suppressions, "s");

export type OptOutList = "suppressions" | "marketing_suppressions";

export function optedOutUnder(ctx: Ctx, keys: readonly SQL[], list: OptOutList = "suppressions"): SQL {
  // One subquery per key reads no row if there is no opt-out. `IN` would also read each row of its list of keys.
  const at = keys.map(
    (key) =>
      sql`coalesce((SELECT ${optOut.optedOutAt} FROM ${sql.identifier(list)} WHERE ${optOut.workspaceId} = ${ctx.workspace.id} AND ${optOut.key} = ${key}), 0)`,
  );
  return sql`nullif(max(0, ${sql.join(at, sql`, `)}), 0)`;
}

/** We check only the contact's id and number, because triggers copy an opt-out to all keys of a person. */
export const optedOutAt = (ctx: Ctx, contactId: SQL, phoneKey: SQL, list?: OptOutList): SQL =>
  optedOutUnder(ctx, [contactId, phoneKey], list);

export const suppressionKeysBySeqs = (seqs: SQL): SQL => sql`
  WITH ${samePeopleCte(seqs)}
  SELECT ${c.id} AS key FROM people CROSS JOIN contacts c ON ${c.seq} = people.seq
  UNION ALL SELECT ${c.phoneKey} FROM people CROSS JOIN contacts c ON ${c.seq} = people.seq AND ${c.phoneKey} IS NOT NULL
  UNION ALL SELECT ${i.provider} || ':' || ${i.externalId} FROM people CROSS JOIN contact_identities i ON ${i.contactSeq} = people.seq`;

export const suppressionKeysBySeq = (seq: SQL): SQL => suppressionKeysBySeqs(sql`SELECT ${seq} AS seq`);

export const insertSuppressions = (
  ctx: Ctx,
  keys: SQL,
  at: number,
  condition: SQL,
  list: OptOutList = "suppressions",
): SQL => sql`
    INSERT INTO ${sql.identifier(list)} (${optOut.workspaceId}, ${optOut.key}, ${optOut.optedOutAt})
    SELECT ${ctx.workspace.id}, key, ${at} FROM (${keys}) WHERE ${condition}
    ON CONFLICT (${optOut.workspaceId}, ${optOut.key}) DO UPDATE SET ${optOut.optedOutAt} = ${excluded.optedOutAt}
    WHERE ${excluded.optedOutAt} > ${optOut.optedOutAt}`;

/** Deletes only opt-outs up to `at`. A later opt-out remains, even if it arrived before this message. */
export const deleteSuppressions = (
  ctx: Ctx,
  keys: SQL,
  condition: SQL,
  { at = ctx.now(), list = "suppressions" }: { at?: number; list?: OptOutList } = {},
): SQL =>
  sql`
    DELETE FROM ${sql.identifier(list)}
    WHERE ${optOut.workspaceId} = ${ctx.workspace.id} AND ${optOut.key} IN (${keys}) AND ${optOut.optedOutAt} <= ${at} AND ${condition}`;

export const optOutKeyOfUserId = (connectionId: string, userId: string | SQL): SQL =>
  sql`${providerOf(connectionId)} || ':' || ${userId}`;

export const OPT_OUT_TABLES = [
  { table: suppressions, at: optOut.optedOutAt },
  { table: marketingSuppressions, at: columns(marketingSuppressions).optedOutAt },
  { table: marketingChoices, at: columns(marketingChoices).chosenAt },
  { table: optIns, at: columns(optIns).optedInAt },
];

/**
 * Copies from a person's old keys to the new keys. The trigger of the view `opt_out_keys` would also copy to the old
 * number, which another person can have now.
 */
export const copyOptOuts = (
  ctx: Ctx,
  { from, to, until }: { from: SQL; to: SQL; until: number },
  condition: SQL,
): SQL[] =>
  OPT_OUT_TABLES.map(
    ({ table, at }) => sql`
      INSERT INTO ${table} (${optOut.workspaceId}, ${optOut.key}, ${at})
      SELECT ${ctx.workspace.id}, t.key, latest.at
      FROM (SELECT max(s.${at}) AS at FROM (${from}) f
        CROSS JOIN ${table} s ON ${s.workspaceId} = ${ctx.workspace.id} AND ${s.key} = f.key AND s.${at} <= ${until}) latest CROSS JOIN (${to}) t
      WHERE latest.at IS NOT NULL AND ${condition}
      ON CONFLICT (${optOut.workspaceId}, ${optOut.key}) DO UPDATE SET ${at} = excluded.${at} WHERE excluded.${at} > ${at}`,
  );
