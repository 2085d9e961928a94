import { sql } from "drizzle-orm";
import type { SQL } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { phoneKey } from "../../shared/phone.ts";
import { suppress, suppressionKeys, suppressionKeysOf, unsuppress } from "./contacts.sql.ts";
import { identityKeyOf, type KnownPerson, seqOfPerson, seqsNow } from "./identify-people.sql.ts";

const LIST = "marketing_suppressions";

/** What the opt-outs of contacts are kept under, or of those that they have become part of. */
export const keysOfContacts = (seqs: number[]): SQL => suppressionKeysOf(seqsNow(seqs));

/** The same of somebody by the provider's names, who may be no contact yet. */
export const keysOfPerson = (ctx: Ctx, connectionId: string, person: KnownPerson, at: number): SQL => {
  const { phone, userIds } = person;
  const named = [
    ...(phone === null ? [] : [sql`SELECT ${phoneKey(phone)}`]),
    ...userIds.map((id) => sql`SELECT ${identityKeyOf(connectionId, id)}`),
  ];
  const known = sql`SELECT key FROM (${suppressionKeys(seqOfPerson(ctx, connectionId, person, at))})`;
  return sql.join([known, ...named], sql` UNION `);
};

export interface MarketingChoice {
  marketing: "stop" | "resume";
  /** ms since the epoch. */
  at: number;
}

/** True in SQL unless whoever `keys` selects has chosen since, or just so: then the choice is told again, or late. */
const isLatest = (ctx: Ctx, keys: SQL, at: number): SQL => sql`NOT EXISTS (
  SELECT 1 FROM (${keys}) k CROSS JOIN marketing_choices m ON m.workspace_id = ${ctx.workspace.id} AND m.key = k.key AND m.chosen_at >= ${at})`;

/** Keeps whether the people want marketing whose opt-outs are kept under what `keys` selects, where `condition` holds. */
export const chooseMarketing = (
  ctx: Ctx,
  keys: SQL,
  { marketing, at }: MarketingChoice,
  condition = sql`TRUE`,
): SQL[] => {
  const isNews = sql`${condition} AND ${isLatest(ctx, keys, at)}`;
  return [
    marketing === "stop" ? suppress(ctx, keys, at, isNews, LIST) : unsuppress(ctx, keys, isNews, { at, list: LIST }),
    sql`
      INSERT INTO marketing_choices (workspace_id, key, chosen_at)
      SELECT ${ctx.workspace.id}, key, ${at} FROM (${keys}) WHERE ${condition}
      ON CONFLICT (workspace_id, key) DO UPDATE SET chosen_at = excluded.chosen_at WHERE excluded.chosen_at > chosen_at`,
  ];
};
