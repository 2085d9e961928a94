// Raw SQL, because the inserts select from other tables, and other statements contain the subqueries.
import { sql, type SQL } from "drizzle-orm";
import * as z from "zod";
import { columns, type ColumnsOf, insertSelect } from "../../../db/columns.ts";
import { connections, contactIdentities, contacts, conversations } from "../../../db/schema/index.ts";
import { statement } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { event } from "../../events/append-events.sql.ts";
import { externalIdsJson, visibleIdentities } from "../contact-events.sql.ts";
import { currentContactSeq, type PersonIdentifiers } from "./identify-people.sql.ts";

const c = columns(contacts, "c");
const i = columns(contactIdentities, "i");
const k = columns(connections, "k");
const o = columns(connections, "o");
const connection = columns(connections);
const excluded = columns(contactIdentities, "excluded");
const identity = columns(contactIdentities);
const conversation = columns(conversations);

/** If an id is already stored, updates only its username. */
export const upsertContactIdentities = (
  ctx: Ctx,
  connectionId: string,
  { userIds, username }: PersonIdentifiers,
  seq: SQL,
  condition: SQL,
): SQL[] =>
  userIds.map((id) =>
    insertSelect(
      contactIdentities,
      {
        workspaceId: ctx.workspace.id,
        provider: connection.provider,
        externalId: id,
        contactSeq: seq,
        connectionId: connection.id,
        username,
      },
      sql`FROM connections WHERE ${connection.id} = ${connectionId} AND ${condition}
      ON CONFLICT DO UPDATE SET ${identity.username} = ${excluded.username}
      WHERE ${excluded.username} IS NOT NULL AND ${identity.username} IS NOT ${excluded.username}`,
    ),
  );

export interface ReportedIdentity {
  contactSeq: number;
  connectionId: string;
  externalId: string;
}

/**
 * If another contact already has the id, both contacts are the same person. Then `claimed_by` stores the second contact
 * until the two are merged. Opt-outs already apply to both.
 */
export const upsertReportedIdentities = (ctx: Ctx, identities: ReportedIdentity[]): SQL =>
  insertSelect(
    contactIdentities,
    {
      workspaceId: ctx.workspace.id,
      provider: k.provider,
      externalId: sql`e.value ->> 'externalId'`,
      contactSeq: c.seq,
      connectionId: k.id,
    },
    sql`FROM json_each(${JSON.stringify(identities)}) e
  CROSS JOIN connections k ON ${k.id} = e.value ->> 'connectionId' AND ${k.workspaceId} = ${ctx.workspace.id}
  CROSS JOIN contacts c ON ${c.seq} = ${currentContactSeq(sql`e.value ->> 'contactSeq'`)} AND ${c.workspaceId} = ${ctx.workspace.id}
  WHERE TRUE
  ON CONFLICT DO UPDATE SET ${identity.claimedBy} = ${excluded.contactSeq}
  WHERE ${identity.contactSeq} <> ${excluded.contactSeq} AND ${identity.claimedBy} IS NULL
  RETURNING ${identity.contactSeq}, ${identity.claimedBy}`,
  );

const claimRow = z.object({ contact_seq: z.number(), claimed_by: z.number().nullable() });

/** If another contact already has an id, the id's row returns both contacts, which must be merged. */
export const insertReportedIdentities = (ctx: Ctx, identities: ReportedIdentity[]) =>
  statement(claimRow, upsertReportedIdentities(ctx, identities));

export const reportedIdentityEvents = (ctx: Ctx, identities: ReportedIdentity[]): SQL => {
  const news = sql`
    SELECT DISTINCT ${c.seq} AS seq, ${k.provider} AS provider, e.value ->> 'externalId' AS external_id, ${k.id} AS connection_id, NULL AS username
    FROM json_each(${JSON.stringify(identities)}) e
    CROSS JOIN connections k ON ${k.id} = e.value ->> 'connectionId' AND ${k.workspaceId} = ${ctx.workspace.id}
    CROSS JOIN contacts c ON ${c.seq} = ${currentContactSeq(sql`e.value ->> 'contactSeq'`)} AND ${c.workspaceId} = ${ctx.workspace.id}
    WHERE NOT EXISTS (SELECT 1 FROM contact_identities i
      WHERE ${i.workspaceId} = ${ctx.workspace.id} AND ${i.provider} = ${k.provider} AND ${i.externalId} = e.value ->> 'externalId')`;
  const before = externalIdsJson(visibleIdentities(c.seq));
  const after = externalIdsJson(sql`
    ${visibleIdentities(c.seq)} UNION ALL SELECT ${identity.provider}, ${identity.externalId}, ${identity.connectionId}, ${identity.username} FROM (${news}) x WHERE x.seq = ${c.seq}`);
  return sql`
    SELECT ${event("contact.identity_changed", c.id, sql`json_object('external_ids', json_array(${before}, ${after}))`)}
    FROM (SELECT DISTINCT seq FROM (${news})) n CROSS JOIN contacts c ON ${c.seq} = n.seq`;
};

const businessAccountOf = (row: ColumnsOf<typeof connections, "config">): SQL =>
  sql`${row.config} ->> '$.business_account_id'`;

/**
 * A sandbox connection without a business account is a separate phone network, so its ids are valid on no other
 * connection.
 */
const isNetworkOfItsOwn = sql`(${k.provider} = 'sandbox' AND ${businessAccountOf(k)} IS NULL)`;

/**
 * A WhatsApp id is valid for one business account; other ids are valid everywhere. While an id belongs to two contacts,
 * it receives nothing, because the person would get a message twice.
 */
const isAddress = sql`(
  ${i.provider} = ${k.provider} AND ${i.replacedAt} IS NULL AND ${i.claimedBy} IS NULL
  AND (${i.connectionId} IS NULL OR ${i.connectionId} = ${k.id} OR EXISTS (SELECT 1 FROM connections o
    WHERE ${o.id} = ${i.connectionId} AND NOT ${isNetworkOfItsOwn} AND ${businessAccountOf(o)} IS ${businessAccountOf(k)})))`;

/** If a contact has several ids, prefers the id from which the contact last wrote. */
export const userIdAt = (seq: SQL, connectionId: SQL): SQL => sql`(
  SELECT ${i.externalId} FROM contact_identities i CROSS JOIN connections k ON ${k.id} = ${connectionId} AND ${isAddress}
  WHERE ${i.contactSeq} = ${seq}
  ORDER BY ${i.externalId} IS NOT (
      SELECT ${conversation.wroteFrom} FROM conversations
      WHERE ${conversation.contactSeq} = ${i.contactSeq} AND ${conversation.connectionId} = ${k.id}),
    ${i.connectionId} IS NOT ${k.id}, ${i.externalId} LIMIT 1)`;

export const hasIdentity = (seq: SQL): SQL =>
  sql`EXISTS (SELECT 1 FROM contact_identities WHERE ${identity.contactSeq} = ${seq} AND ${identity.replacedAt} IS NULL)`;
