// Raw SQL, because one batch claims the lease and reads all data for sending.
import { sql, type SQL } from "drizzle-orm";
import * as z from "zod";
import { columns, insertSelect } from "../../../db/columns.ts";
import { bool } from "../../../db/rows.ts";
import {
  campaigns,
  connections,
  contacts,
  leases,
  messages,
  spentNumbers,
  templates,
} from "../../../db/schema/index.ts";
import { statement, transact } from "../../../db/statement.ts";
import { withStoppedClock, type Ctx } from "../../../shared/context.ts";
import { fromJson } from "../../../shared/text/json.ts";
import { storedSettings } from "../../connections/connections.schemas.ts";
import { contactFacts, contactLayout } from "../../contacts/contacts.schemas.ts";
import { contactLayoutJson, contactFactsJson } from "../../contacts/contacts.sql.ts";
import { currentContactSeq } from "../../contacts/identity/identify-people.sql.ts";
import { userIdAt } from "../../contacts/identity/provider-ids.sql.ts";
import { claimRetries, isRetryDue } from "../../messages/campaign-messages.sql.ts";
import { state } from "../../messages/messages.states.ts";
import { selectTemplate } from "../../templates/templates.sql.ts";
import { storedRequest } from "../campaigns.schemas.ts";
import { exclusionCases, isCampaign, recipientId, requestJson } from "../campaigns.sql.ts";

const c = columns(contacts, "c");
const k = columns(connections, "k");
const l = columns(leases, "l");
const p = columns(campaigns, "p");
const s = columns(spentNumbers, "s");
const t = columns(templates, "t");
const campaign = columns(campaigns);
const lease = columns(leases);
const m = columns(messages, "m");

export interface LeaseClaim {
  campaignId: string;
  grantId: string;
  holder: string;
  size: number;
}

const maySend = (now: number): SQL =>
  sql`${p.status} = 'running' AND (${p.sendBefore} IS NULL OR ${p.sendBefore} > ${now})`;

/**
 * INDEXED BY keeps SQLite from reading the whole table. If the condition does not match the index, the statement fails.
 */
const fromDueRetries = (campaignId: string, now: number): SQL =>
  sql`FROM messages m INDEXED BY messages_retries WHERE ${m.campaignId} = ${campaignId} AND ${isRetryDue(m, now)}`;

/** The lease contains due retries first, and then new recipients. Inserts nothing if the grant was already used. */
const insertLease = (ctx: Ctx, { campaignId, grantId, holder, size }: LeaseClaim): SQL =>
  insertSelect(
    leases,
    {
      campaignId: campaign.id,
      grantId,
      holder,
      lo: campaign.claimed,
      hi: sql`min(${campaign.claimed} + ${size} - due, ${campaign.expanded})`,
      retries: sql`due`,
      takenAt: ctx.now(),
    },
    sql`FROM (
    SELECT ${p.id} AS id, ${p.claimed} AS claimed, ${p.expanded} AS expanded,
      (SELECT count(*) FROM (SELECT 1 ${fromDueRetries(campaignId, ctx.now())} LIMIT ${size})) AS due
    FROM campaigns p CROSS JOIN connections k ON ${k.id} = ${p.connectionId} CROSS JOIN templates t ON ${t.id} = ${p.templateId}
    WHERE ${p.id} = ${campaignId} AND ${p.workspaceId} = ${ctx.workspace.id} AND ${maySend(ctx.now())}
      AND ${k.status} = 'active' AND ${k.deletedAt} IS NULL AND ${t.status} = 'APPROVED')
  WHERE due > 0 OR ${campaign.claimed} < ${campaign.expanded}
  ON CONFLICT DO NOTHING`,
  );

/** Selects no row if another Worker has already created the lease for this grant. */
const fromClaimedLease = ({ campaignId, grantId, holder }: LeaseClaim): SQL =>
  sql`FROM leases WHERE ${lease.campaignId} = ${campaignId} AND ${lease.grantId} = ${grantId} AND ${lease.holder} = ${holder}`;

const countLeased = (ctx: Ctx, claim: LeaseClaim): SQL => sql`
  UPDATE campaigns SET (${campaign.claimed}, ${campaign.leasedSends}) = (
    SELECT ${lease.hi}, ${campaign.leasedSends} + ${lease.hi} - ${lease.lo} + ${lease.retries} ${fromClaimedLease(claim)})
  WHERE ${isCampaign(ctx, claim.campaignId)} AND EXISTS (SELECT 1 ${fromClaimedLease(claim)})`;

const retryIds = (ctx: Ctx, claim: LeaseClaim): SQL => sql`
  SELECT ${m.id} ${fromDueRetries(claim.campaignId, ctx.now())}
  ORDER BY ${m.retryAt}, ${m.id} LIMIT coalesce((SELECT ${lease.retries} ${fromClaimedLease(claim)}), 0)`;

const firstAttemptIds = (claim: LeaseClaim): SQL => sql`
  SELECT ${m.id} FROM (SELECT * ${fromClaimedLease(claim)}) l CROSS JOIN campaigns p ON ${p.id} = ${l.campaignId}
  CROSS JOIN messages m ON ${m.id} >= ${recipientId(l.lo)} AND ${m.id} < ${recipientId(l.hi)}`;

/**
 * A phone number can move from one contact to another during a campaign. True if the number has already received the
 * campaign through the other contact.
 */
const isSpentNumber = sql`EXISTS (
  SELECT 1 FROM spent_numbers s WHERE ${s.campaignId} = ${m.campaignId} AND ${s.phoneKey} = ${c.phoneKey} AND ${currentContactSeq(s.contactSeq)} <> ${c.seq})`;

const leaseRecipient = z.object({
  id: z.string(),
  contact_seq: z.number(),
  attempts: z.number(),
  address: z.string().nullable(),
  contact: fromJson(contactFacts),
  skip: z.enum(["archived", "unsubscribed", "marketing_opt_out", "duplicate"]).nullable(),
});

/**
 * Contacts can opt out, be archived or change their number after the start. Each lease therefore checks these
 * conditions again.
 */
const selectLeaseRecipients = (ctx: Ctx, claim: LeaseClaim) =>
  statement(
    leaseRecipient,
    sql`
      SELECT ${m.id} AS id, ${c.seq} AS contact_seq, ${m.attempts} AS attempts, coalesce(${c.phone}, ${userIdAt(c.seq, m.connectionId)}) AS address,
        ${contactFactsJson} AS contact,
        CASE ${exclusionCases(ctx)} WHEN ${isSpentNumber} THEN 'duplicate' END AS skip
      FROM (SELECT id FROM (${retryIds(ctx, claim)}) UNION ALL SELECT id FROM (${firstAttemptIds(claim)})) leased
      CROSS JOIN messages m ON ${m.id} = leased.id CROSS JOIN contacts c ON ${c.seq} = ${currentContactSeq(m.contactSeq)}
      WHERE ${m.workspaceId} = ${ctx.workspace.id} AND ${m.state} = ${state.queued}`,
  );

const leaseSetup = z.object({
  request: fromJson(storedRequest),
  recent: z.string(),
  connection_id: z.string(),
  send_before: z.number().nullable(),
  provider: z.string(),
  ...storedSettings,
  layout: fromJson(contactLayout),
});

const selectLeaseSetup = (ctx: Ctx, claim: LeaseClaim) =>
  statement(
    leaseSetup,
    sql`
      SELECT ${requestJson} AS request, ${p.recentResults} AS recent, ${p.connectionId} AS connection_id, ${p.sendBefore} AS send_before,
        ${k.provider} AS provider, ${k.config} AS config, ${k.secrets} AS secrets, ${contactLayoutJson(ctx)} AS layout
      FROM campaigns p CROSS JOIN connections k ON ${k.id} = ${p.connectionId}
      WHERE ${p.id} = ${claim.campaignId} AND ${p.workspaceId} = ${ctx.workspace.id} AND EXISTS (SELECT 1 ${fromClaimedLease(claim)})`,
  );

const campaignSnapshot = z.object({
  status: z.string(),
  send_before: z.number().nullable(),
  has_more: bool,
  next_retry_at: z.number().nullable(),
  template_status: z.string().nullable(),
  connection_status: z.string(),
  messages_per_second: z.number(),
});

/** All times are in ms since the epoch. */
export type CampaignSnapshot = z.infer<typeof campaignSnapshot>;

/** The first entry of the index `messages_retries` is the earliest retry, so finding it costs one row. */
export const selectCampaignSnapshot = (ctx: Ctx, campaignId: string) =>
  statement(
    campaignSnapshot,
    sql`
      SELECT ${p.status} AS status, ${p.sendBefore} AS send_before, ${p.claimed} < ${p.expanded} AS has_more,
        (SELECT ${m.retryAt} FROM messages m INDEXED BY messages_retries
         WHERE ${m.campaignId} = ${p.id} AND ${m.retryAt} IS NOT NULL AND ${m.state} = ${state.queued} ORDER BY ${m.retryAt} LIMIT 1) AS next_retry_at,
        ${t.status} AS template_status, iif(${k.deletedAt} IS NULL, ${k.status}, 'deleted') AS connection_status,
        ${k.messagesPerSecond} AS messages_per_second
      FROM campaigns p CROSS JOIN connections k ON ${k.id} = ${p.connectionId} LEFT JOIN templates t ON ${t.id} = ${p.templateId}
      WHERE ${p.id} = ${campaignId} AND ${p.workspaceId} = ${ctx.workspace.id}`,
  );

export async function claimLease(live: Ctx, claim: LeaseClaim) {
  const ctx = withStoppedClock(live);
  const templateId = sql`(SELECT ${campaign.templateId} FROM campaigns WHERE ${isCampaign(ctx, claim.campaignId)})`;
  const rows = await transact(ctx.db, {
    lease: insertLease(ctx, claim),
    leased: countLeased(ctx, claim),
    // Must run before `retries`, which claims the messages: claimed messages are not selected any more.
    recipients: selectLeaseRecipients(ctx, claim),
    retries: claimRetries(ctx, retryIds(ctx, claim)),
    setup: selectLeaseSetup(ctx, claim),
    template: selectTemplate(ctx, templateId),
    snapshot: selectCampaignSnapshot(ctx, claim.campaignId),
  });
  const [[setup], [template], [snapshot = null]] = [rows.setup, rows.template, rows.snapshot];
  const isClaimed = setup !== undefined && template !== undefined;
  return {
    lease: isClaimed ? { setup, template, recipients: rows.recipients } : null,
    snapshot,
  };
}
