import { sql } from "drizzle-orm";
import * as z from "zod";
import type { SQL } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { phoneKey } from "../../shared/phone.ts";
import type { JoinedContact } from "./contacts.joining.ts";
import { MAX_TAGS } from "./contacts.upsert-plan.ts";
import { foldedField } from "./contacts.folding.ts";
import { OPT_OUT_TABLES } from "./identify-people.sql.ts";

/** Two contacts that are one person. */
export interface Join {
  stays: JoinedContact;
  goes: JoinedContact;
  /** The number that the person is known to have now; null leaves the one that the staying contact has. */
  phone: string | null;
}

const row = z.object({
  seq: z.number(),
  id: z.string(),
  phone_key: z.string().nullable(),
  archived_at: z.number().nullable(),
});

/** The contacts that `seqs` selects as `seq`, oldest first. */
export async function readSelected(ctx: Ctx, seqs: SQL): Promise<JoinedContact[]> {
  const rows = await ctx.db.all(sql`
    SELECT c.seq AS seq, c.id AS id, c.phone_key AS phone_key, c.archived_at AS archived_at
    FROM (${seqs}) s CROSS JOIN contacts c ON c.seq = s.seq AND c.workspace_id = ${ctx.workspace.id} ORDER BY c.seq`);
  return z
    .array(row)
    .parse(rows)
    .map(({ seq, id, phone_key, archived_at }) => ({ seq, id, phoneKey: phone_key, archivedAt: archived_at }));
}

/** Fails the batch when either contact is no longer as the decision took it for. */
const refuseChanged = ({ stays, goes }: Join): SQL => sql`
  SELECT iif(EXISTS (
    SELECT 1 FROM json_each(${JSON.stringify([stays, goes])}) e LEFT JOIN contacts c ON c.seq = e.value ->> 'seq'
    WHERE c.seq IS NULL OR c.phone_key IS NOT e.value ->> 'phoneKey' OR c.archived_at IS NOT e.value ->> 'archivedAt'
  ), json('drifted'), 0)`;

const otherActive = ({ stays, goes }: Join): SQL => sql`
  SELECT 1 FROM contacts other WHERE other.workspace_id = contacts.workspace_id AND other.archived_at IS NULL
  AND other.seq NOT IN (${stays.seq}, ${goes.seq})`;

/** The fields of both: the staying contact's where it has a value, else the other's. */
function unite(ctx: Ctx, join: Join): SQL {
  const { stays, goes, phone } = join;
  const other = otherActive(join);
  const takesEmail = sql`(contacts.email IS NULL AND gone.email IS NOT NULL AND NOT EXISTS (${other} AND other.email_key = gone.email_key))`;
  const withoutEmail = sql.join(
    Object.keys(foldedField("email", null)).map((name) => sql`${`$.${name}`}`),
    sql`, `,
  );
  const key = phone === null || phoneKey(phone) === stays.phoneKey ? null : phoneKey(phone);
  const comesBack =
    goes.archivedAt === null
      ? sql`NOT EXISTS (${other} AND other.phone_key = ${key ?? stays.phoneKey})
          AND NOT EXISTS (${other} AND other.email_key = coalesce(contacts.email_key, gone.email_key))`
      : sql`FALSE`;
  const tags = sql`
    SELECT json_group_array(number) FROM (SELECT number FROM (
      SELECT number, min(rank) AS rank FROM (
        SELECT value AS number, 0 AS rank FROM json_each(contacts.tags)
        UNION ALL SELECT value, 1 FROM json_each(gone.tags))
      GROUP BY number ORDER BY rank, number LIMIT ${MAX_TAGS}) ORDER BY number)`;
  return sql`
    UPDATE contacts SET
      name = coalesce(contacts.name, gone.name), company = coalesce(contacts.company, gone.company),
      address_as = coalesce(contacts.address_as, gone.address_as),
      status = iif(contacts.status = 'new', gone.status, contacts.status),
      lifecycle_stage = iif(contacts.lifecycle_stage = 'lead', gone.lifecycle_stage, contacts.lifecycle_stage),
      email = iif(${takesEmail}, gone.email, contacts.email),
      email_key = iif(${takesEmail}, gone.email_key, contacts.email_key),
      ${key === null ? sql`` : sql`phone = ${phone}, phone_key = ${key},`}
      tags = (${tags}),
      custom_fields = json_patch(gone.custom_fields, contacts.custom_fields),
      folded = json_patch(iif(${takesEmail}, gone.folded, json_remove(gone.folded, ${withoutEmail})), contacts.folded),
      archived_at = iif(contacts.archived_at IS NOT NULL AND ${comesBack}, NULL, contacts.archived_at),
      created_at = min(contacts.created_at, gone.created_at), updated_at = ${ctx.now()}
    FROM contacts gone WHERE contacts.seq = ${stays.seq} AND gone.seq = ${goes.seq}`;
}

/** Gives the opt-outs of each to both, under every key, the number included that the person has now. */
const uniteOptOuts = (join: Join): SQL =>
  sql`INSERT INTO opt_out_spread (seq, other) VALUES (${join.stays.seq}, ${join.goes.seq})`;

/** The key of a contact that is gone is nobody's. */
const dropOptOuts = (ctx: Ctx, { goes }: Join): SQL[] =>
  OPT_OUT_TABLES.map(
    ({ table }) => sql`DELETE FROM ${table} WHERE workspace_id = ${ctx.workspace.id} AND key = ${goes.id}`,
  );

const moveIdentities = (join: Join): SQL[] => [
  sql`UPDATE contact_identities SET claimed_by = ${join.stays.seq} WHERE claimed_by = ${join.goes.seq}`,
  sql`UPDATE contact_identities SET contact_seq = ${join.stays.seq} WHERE contact_seq = ${join.goes.seq}`,
  sql`UPDATE contact_identities SET claimed_by = NULL WHERE claimed_by = ${join.stays.seq} AND contact_seq = ${join.stays.seq}`,
];

const record = (ctx: Ctx, { stays, goes }: Join): SQL[] => [
  sql`UPDATE contact_joins SET into_seq = ${stays.seq} WHERE into_seq = ${goes.seq}`,
  sql`
    INSERT INTO contact_joins (from_seq, from_id, workspace_id, into_seq, joined_at)
    VALUES (${goes.seq}, ${goes.id}, ${ctx.workspace.id}, ${stays.seq}, ${ctx.now()})`,
];

/** Makes one contact of two, for a batch; what else belongs to them has to move in the same batch. */
export const joinRows = (ctx: Ctx, join: Join): SQL[] => [
  refuseChanged(join),
  ...record(ctx, join),
  uniteOptOuts(join),
  // Out of the way of the unique number and email; a campaign that was sent to the number is told by a trigger.
  sql`UPDATE contacts SET archived_at = coalesce(archived_at, ${ctx.now()}) WHERE seq = ${join.goes.seq}`,
  unite(ctx, join),
  ...moveIdentities(join),
  sql`DELETE FROM contacts WHERE seq = ${join.goes.seq}`,
  ...dropOptOuts(ctx, join),
];

/** Two contacts that claim one identity. */
const claim = z.object({ workspace_id: z.string(), contact_seq: z.number(), claimed_by: z.number() });

export type Claim = z.infer<typeof claim>;

/** Identities of a shard that two contacts claim. */
export const claimedIdentities = (limit: number): SQL =>
  sql`SELECT workspace_id, contact_seq, claimed_by FROM contact_identities WHERE claimed_by > 0 LIMIT ${limit}`;

export const parseClaims = (rows: unknown): Claim[] => z.array(claim).parse(rows);

/** The contact that one which is gone became part of. */
export const intoContact = (ctx: Ctx, id: string): SQL => sql`
  SELECT c.id AS id FROM contact_joins j CROSS JOIN contacts c ON c.seq = j.into_seq
  WHERE j.from_id = ${id} AND j.workspace_id = ${ctx.workspace.id}`;
