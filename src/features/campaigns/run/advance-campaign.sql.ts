// Raw SQL, because recipients are selected as ranges of message ids. Each statement also checks its own conditions, so
// that a step that two concurrent runs perform takes effect only once.
import { sql, type SQL } from "drizzle-orm";
import * as z from "zod";
import { columns } from "../../../db/columns.ts";
import {
  campaigns,
  connections,
  contactJoins,
  contacts,
  leases,
  messages,
  spentNumbers,
} from "../../../db/schema/index.ts";
import { bool } from "../../../db/rows.ts";
import { statement, transact } from "../../../db/statement.ts";
import { withStoppedClock, type Ctx, type Database } from "../../../shared/context.ts";
import { fromJson } from "../../../shared/text/json.ts";
import {
  markMessagesUnknown,
  insertCampaignMessages,
  isUnsettledRetry,
  isUnsettledFirstAttempt,
} from "../../messages/campaign-messages.sql.ts";
import { MAX_LEASE_SIZE } from "../../pacing/pacing.round.ts";
import { userIdAt } from "../../contacts/identity/provider-ids.sql.ts";
import { type ResolvedAudience, campaignRecord, storedAudience, storedRequest } from "../campaigns.schemas.ts";
import { completeCampaign, isCampaign, isUnderWay, recipientId, requestJson } from "../campaigns.sql.ts";
import { exclusionReason, isInAudience } from "../start/find-audience.ts";

const c = columns(contacts, "c");
const j = columns(contactJoins, "j");
const k = columns(connections, "k");
const l = columns(leases, "l");
const p = columns(campaigns, "p");
const campaign = columns(campaigns);
const lease = columns(leases);
const spent = columns(spentNumbers);
const m = columns(messages, "m");

const campaignState = z.object({
  id: z.string(),
  status: campaignRecord.shape.status,
  request: fromJson(storedRequest),
  revision: z.number(),
  connection_id: z.string(),
  audience: fromJson(storedAudience),
  wake_at: z.number().nullable(),
  cursor: z.number().nullable(),
  audience_ready_at: z.number().nullable(),
  scheduled_at: z.number().nullable(),
  send_before: z.number().nullable(),
  has_open_leases: bool,
  has_recipients: bool,
  messages_per_second: z.number(),
});

export type CampaignState = z.infer<typeof campaignState>;

export const selectCampaignState = (ctx: Ctx, id: string) =>
  statement(
    campaignState,
    sql`
      SELECT ${p.id}, ${p.status}, ${requestJson} AS request, ${p.revision}, ${p.connectionId}, ${p.audience}, ${p.wakeAt}, ${p.cursor}, ${p.audienceReadyAt},
        ${p.scheduledAt}, ${p.sendBefore}, ${p.leasedSends} > ${p.settledSends} AS has_open_leases,
        ${p.expanded} > 0 AS has_recipients, ${k.messagesPerSecond}
      FROM campaigns p CROSS JOIN connections k ON ${k.id} = ${p.connectionId}
      WHERE ${p.id} = ${id} AND ${p.workspaceId} = ${ctx.workspace.id}`,
  );

const isExpanding = (ctx: Ctx, id: string, cursor: number): SQL =>
  sql`${isCampaign(ctx, id)} AND ${campaigns.cursor} = ${cursor} AND ${isUnderWay}
    AND ${campaigns.audienceReadyAt} IS NULL`;

/**
 * True if a merge has made contact `c` a recipient of campaign `p` already. For example, contact 3 becomes a recipient
 * and is then merged into contact 9. Contact 9 must not become a second recipient.
 */
const isRecipientAlready = sql`EXISTS (
  SELECT 1 FROM contact_joins j CROSS JOIN messages m ON ${m.contactSeq} IN (${c.seq}, ${j.fromSeq}) AND ${m.connectionId} = ${p.connectionId}
    AND ${m.id} >= ${p.messagePrefix} AND ${m.id} < ${p.messagePrefix} || ':'
  WHERE ${j.intoSeq} = ${c.seq})`;

export interface ExpansionWindow {
  cursor: number;
  /** In contact numbers. */
  size: number;
}

/**
 * Creates the recipients of the contacts in the next window. Returns undefined if a concurrent run has already moved the
 * cursor. After the last contacts, the returned `audienceReadyAt` is not null.
 */
export async function expandWindow(
  ctx: Ctx,
  id: string,
  { cursor, size }: ExpansionWindow,
  audience: ResolvedAudience,
) {
  const end = sql`min(${campaigns.cursor} + ${size}, ${campaigns.lastContactSeq})`;
  const isLast = sql`${campaigns.cursor} + ${size} >= ${campaigns.lastContactSeq}`;
  const expanded = sql`${campaigns.expanded} + changes()`;
  const { moved } = await transact(ctx.db, {
    recipients: insertCampaignMessages(
      ctx,
      sql`
        SELECT ${recipientId(sql`${p.expanded} + row_number() OVER (ORDER BY ${c.seq}) - 1`)} AS id, ${c.seq} AS contact_seq,
          ${p.connectionId} AS connection_id, ${p.id} AS campaign_id, ${p.templateId} AS template_id, coalesce(${c.phone}, ${userIdAt(c.seq, p.connectionId)}) AS address
        FROM (SELECT *, ${end} AS until FROM campaigns WHERE ${isExpanding(ctx, id, cursor)}) p
        CROSS JOIN contacts c ON ${c.seq} > ${p.cursor} AND ${c.seq} <= p.until
        WHERE ${isInAudience(audience)} AND ${exclusionReason(ctx, p.connectionId)} IS NULL AND NOT ${isRecipientAlready}`,
    ),
    // Must directly follow `recipients`, because `changes()` is the number of rows that the previous statement wrote.
    moved: ctx.db
      .update(campaigns)
      .set({
        expanded,
        cursor: end,
        audienceReadyAt: sql`iif(${isLast}, ${ctx.now()}, NULL)`,
        recipientCount: sql`iif(${isLast}, ${expanded}, ${campaigns.recipientCount})`,
      })
      .where(isExpanding(ctx, id, cursor))
      .returning({ cursor: campaigns.cursor, audienceReadyAt: campaigns.audienceReadyAt }),
  });
  return moved[0];
}

/** A lease that is unsettled after this time has expired. Its last send ended long before. */
const LEASE_MS = 120_000;

/** A batch recovers at most this many leases, because one row of the event log must hold all events of the batch. */
const MAX_LEASES = 25;

/**
 * Closes expired leases: the process that sent them has died, so messages without a result become `unknown`. Returns
 * true if more expired leases can exist.
 */
export async function recoverLeases(live: Ctx, id: string): Promise<boolean> {
  const ctx = withStoppedClock(live);
  const before = ctx.now() - LEASE_MS;
  const lost = sql`(
    SELECT * FROM leases WHERE ${lease.campaignId} = ${id} AND ${lease.settledAt} IS NULL AND ${lease.takenAt} <= ${before} ORDER BY ${lease.grantId} LIMIT ${MAX_LEASES})`;
  const messageIds = sql`
    SELECT ${m.id} FROM ${lost} l CROSS JOIN campaigns p ON ${p.id} = ${l.campaignId}
    CROSS JOIN messages m ON ${m.id} >= ${recipientId(l.lo)} AND ${m.id} < ${recipientId(l.hi)} WHERE ${isUnsettledFirstAttempt(m)}
    UNION ALL SELECT id FROM (
      SELECT ${m.id} FROM messages m WHERE ${m.campaignId} = ${id} AND ${isUnsettledRetry(m, before)} ORDER BY ${m.retryAt}, ${m.id} LIMIT ${MAX_LEASES * MAX_LEASE_SIZE})`;
  const { leases: givenUp } = await transact(ctx.db, {
    messages: markMessagesUnknown(ctx, messageIds),
    campaign: ctx.db
      .update(campaigns)
      .set({
        settledSends: sql`${campaigns.settledSends} + (SELECT coalesce(sum(${lease.hi} - ${lease.lo} + ${lease.retries}), 0) FROM ${lost})`,
      })
      .where(sql`${isCampaign(ctx, id)} AND EXISTS (SELECT 1 FROM ${lost})`),
    // Must be last, because the other statements look for unsettled leases.
    leases: ctx.db
      .update(leases)
      .set({ settledAt: ctx.now() })
      .where(sql`${leases.campaignId} = ${id} AND ${leases.grantId} IN (SELECT ${lease.grantId} FROM ${lost})`)
      .returning({ grantId: leases.grantId }),
  });
  return givenUp.length === MAX_LEASES;
}

/**
 * One run deletes at most this many rows, so that other requests do not wait. The sweep starts another run until no
 * rows are left.
 */
const MAX_DELETED = 5000;

/**
 * Deletes old leases that are settled. After the end of the campaign, deletes all its leases and spent numbers, because
 * nothing needs them any more.
 */
export async function finishCampaign(ctx: Ctx, id: string): Promise<void> {
  const ended = sql`campaigns WHERE ${isCampaign(ctx, id)} AND ${campaign.completedAt} IS NOT NULL
    AND ${campaign.leasedSends} = ${campaign.settledSends} AND ${campaign.wakeAt} IS NOT NULL`;
  const hasEnded = sql`EXISTS (SELECT 1 FROM ${ended})`;
  await transact(ctx.db, {
    completion: completeCampaign(ctx, id),
    leases: sql`DELETE FROM leases WHERE ${lease.campaignId} = ${id} AND ${lease.grantId} IN (
      SELECT ${lease.grantId} FROM leases WHERE ${lease.campaignId} = ${id} AND (${lease.settledAt} <= ${ctx.now() - LEASE_MS} OR ${hasEnded}) LIMIT ${MAX_DELETED})`,
    spentNumbers: sql`DELETE FROM spent_numbers WHERE ${spent.campaignId} = ${id} AND ${spent.phoneKey} IN (
      SELECT ${spent.phoneKey} FROM spent_numbers WHERE ${spent.campaignId} = ${id} AND ${hasEnded} LIMIT ${MAX_DELETED})`,
    campaign: sql`UPDATE campaigns SET ${campaign.wakeAt} = NULL WHERE ${campaign.id} = (SELECT ${campaign.id} FROM ${ended})
      AND NOT EXISTS (SELECT 1 FROM leases WHERE ${lease.campaignId} = ${id})
      AND NOT EXISTS (SELECT 1 FROM spent_numbers WHERE ${spent.campaignId} = ${id})`,
  });
}

export interface SweepPosition {
  wakeAt: number | null;
  id: string;
}

export const listCampaignsToAdvance = (db: Database, now: number, last: SweepPosition, limit: number) =>
  db
    .select({
      id: campaigns.id,
      wakeAt: campaigns.wakeAt,
      workspaceId: campaigns.workspaceId,
      workspaceNumber: campaigns.workspaceNumber,
    })
    .from(campaigns)
    .where(sql`${campaigns.wakeAt} <= ${now} AND (${campaigns.wakeAt}, ${campaigns.id}) > (${last.wakeAt}, ${last.id})`)
    .orderBy(campaigns.wakeAt, campaigns.id)
    .limit(limit);
