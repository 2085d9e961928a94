import { sql } from "drizzle-orm";
import * as z from "zod";
import { batch } from "../../../db/client.ts";
import type { SQL } from "../../../db/statement.ts";
import { atOneMoment, type Ctx } from "../../../shared/context.ts";
import { layoutJson, optedOutAt, valuesJson } from "../../contacts/contacts.sql.ts";
import { seqNow } from "../../contacts/identify-people.sql.ts";
import { claimAgain, isDueAgain } from "../../messages/campaign-messages.sql.ts";
import { state } from "../../messages/messages.states.ts";
import { sendableQuery } from "../../templates/templates.service.ts";
import { own, recipientId } from "../campaigns.sql.ts";

/** Leave to send so many messages of a campaign, and who uses it. */
export interface LeaseClaim {
  campaignId: string;
  grantId: string;
  holder: string;
  size: number;
}

/** True in SQL while campaign `p` may send. */
const maySend = (now: number): SQL => sql`p.status = 'running' AND (p.send_before IS NULL OR p.send_before > ${now})`;

/** Rows of a campaign waiting for another attempt that is due. */
const dueAgain = (campaignId: string, now: number): SQL =>
  sql`messages m INDEXED BY messages_retries WHERE m.campaign_id = ${campaignId} AND ${isDueAgain(now)}`;

/** Covers repeated attempts that are due, then the next recipients; nothing where the grant has been used. */
const insertLease = (ctx: Ctx, { campaignId, grantId, holder, size }: LeaseClaim): SQL => sql`
  INSERT INTO leases (campaign_id, grant_id, holder, lo, hi, retries, taken_at)
  SELECT id, ${grantId}, ${holder}, claimed, min(claimed + ${size} - due, expanded), due, ${ctx.now()} FROM (
    SELECT p.id AS id, p.claimed AS claimed, p.expanded AS expanded,
      (SELECT count(*) FROM (SELECT 1 FROM ${dueAgain(campaignId, ctx.now())} LIMIT ${size})) AS due
    FROM campaigns p CROSS JOIN connections k ON k.id = p.connection_id CROSS JOIN templates t ON t.id = p.template_id
    WHERE p.id = ${campaignId} AND p.workspace_id = ${ctx.workspace.id} AND ${maySend(ctx.now())}
      AND k.status = 'active' AND k.deleted_at IS NULL AND t.status = 'APPROVED')
  WHERE due > 0 OR claimed < expanded
  ON CONFLICT DO NOTHING`;

const held = ({ campaignId, grantId, holder }: LeaseClaim): SQL =>
  sql`leases WHERE campaign_id = ${campaignId} AND grant_id = ${grantId} AND holder = ${holder}`;

const moveOn = (ctx: Ctx, claim: LeaseClaim): SQL => sql`
  UPDATE campaigns SET (claimed, taken) = (SELECT hi, taken + hi - lo + retries FROM ${held(claim)})
  WHERE ${own(ctx, claim.campaignId)} AND EXISTS (SELECT 1 FROM ${held(claim)})`;

const idsAgain = (ctx: Ctx, claim: LeaseClaim): SQL => sql`
  SELECT m.id FROM ${dueAgain(claim.campaignId, ctx.now())}
  ORDER BY m.retry_at, m.id LIMIT coalesce((SELECT retries FROM ${held(claim)}), 0)`;

const idsFirst = (claim: LeaseClaim): SQL => sql`
  SELECT m.id FROM (SELECT * FROM ${held(claim)}) l CROSS JOIN campaigns p ON p.id = l.campaign_id
  CROSS JOIN messages m ON m.id >= ${recipientId(sql`l.lo`)} AND m.id < ${recipientId(sql`l.hi`)}`;

/** True in SQL where somebody of the same campaign was sent to at the number that contact `c` has now, and has given it up since. */
const isSpent = sql`EXISTS (
  SELECT 1 FROM spent_numbers s WHERE s.campaign_id = m.campaign_id AND s.phone_key = c.phone_key AND ${seqNow(sql`s.contact_seq`)} <> c.seq)`;

/**
 * Opt-out, archive and numbers that changed hands are looked at here, in the transaction that takes the lease. A message that
 * was skipped before, since the person gets another of the campaign, is not among them.
 */
const recipients = (ctx: Ctx, claim: LeaseClaim): SQL => sql`
  SELECT m.id AS id, c.seq AS contact_seq, m.attempts AS attempts, c.phone AS phone, ${valuesJson} AS contact,
    CASE WHEN c.archived_at IS NOT NULL THEN 'archived'
      WHEN ${optedOutAt(ctx, sql`c.id`, sql`c.phone_key`)} IS NOT NULL THEN 'unsubscribed'
      WHEN ${optedOutAt(ctx, sql`c.id`, sql`c.phone_key`, "marketing_suppressions")} IS NOT NULL THEN 'marketing_opt_out'
      WHEN ${isSpent} THEN 'duplicate' END AS skip
  FROM (SELECT id FROM (${idsAgain(ctx, claim)}) UNION ALL SELECT id FROM (${idsFirst(claim)})) taken
  CROSS JOIN messages m ON m.id = taken.id CROSS JOIN contacts c ON c.seq = ${seqNow(sql`m.contact_seq`)}
  WHERE m.workspace_id = ${ctx.workspace.id} AND m.state = ${state.queued}`;

/** One row with what sending for a campaign takes, and what of it there is to send. */
export const situation = (ctx: Ctx, campaignId: string): SQL => sql`
  SELECT p.status AS status, p.send_before AS send_before, p.claimed < p.expanded AS has_more,
    (SELECT m.retry_at FROM messages m INDEXED BY messages_retries
     WHERE m.campaign_id = p.id AND m.retry_at IS NOT NULL AND m.state = ${state.queued} ORDER BY m.retry_at LIMIT 1) AS next_retry_at,
    t.status AS template_status, iif(k.deleted_at IS NULL, k.status, 'deleted') AS connection_status,
    k.messages_per_second AS messages_per_second
  FROM campaigns p CROSS JOIN connections k ON k.id = p.connection_id LEFT JOIN templates t ON t.id = p.template_id
  WHERE p.id = ${campaignId} AND p.workspace_id = ${ctx.workspace.id}`;

const situationRow = z.object({
  status: z.string(),
  send_before: z.number().nullable(),
  has_more: z.number(),
  next_retry_at: z.number().nullable(),
  template_status: z.string().nullable(),
  connection_status: z.string(),
  messages_per_second: z.number(),
});

export type Situation = z.infer<typeof situationRow>;

/** Null where there is no such campaign. */
export const parseSituation = (rows: unknown): Situation | null => z.array(situationRow).parse(rows)[0] ?? null;

/** What all messages of a lease have in common. */
const common = (ctx: Ctx, claim: LeaseClaim): SQL => sql`
  SELECT p.variables AS variables, p.recent AS recent, p.connection_id AS connection_id, p.send_before AS send_before, k.provider AS provider, k.config AS config, k.secrets AS secrets,
    ${layoutJson(ctx)} AS layout
  FROM campaigns p CROSS JOIN connections k ON k.id = p.connection_id
  WHERE p.id = ${claim.campaignId} AND p.workspace_id = ${ctx.workspace.id} AND EXISTS (SELECT 1 FROM ${held(claim)})`;

/** Takes a lease and reads all that sending for it needs, in one trip; no `common` row where there was none to take. */
export async function claimLease(live: Ctx, claim: LeaseClaim) {
  const ctx = atOneMoment(live);
  const results = await batch(ctx.db, [
    insertLease(ctx, claim),
    moveOn(ctx, claim),
    recipients(ctx, claim),
    claimAgain(ctx, idsAgain(ctx, claim)),
    common(ctx, claim),
    sendableQuery(ctx, sql`(SELECT template_id FROM campaigns WHERE ${own(ctx, claim.campaignId)})`),
    situation(ctx, claim.campaignId),
  ]);
  return { recipients: results[2], common: results[4], template: results[5], situation: results[6] };
}
