import { sql } from "drizzle-orm";
import * as z from "zod";
import { batch } from "../../../db/client.ts";
import type { SQL } from "../../../db/statement.ts";
import { atOneMoment, type Ctx, type Database } from "../../../shared/context.ts";
import { fromJson } from "../../../shared/json.ts";
import { abandon, insertRecipients, isUnsettledAgain, isUnsettledFirst } from "../../messages/campaign-messages.sql.ts";
import { type ResolvedAudience, storedAudience } from "../campaigns.schemas.ts";
import { isMeant, unreachable } from "../start/find-audience.sql.ts";
import { complete, own, recipientId } from "../campaigns.sql.ts";

/** How many contacts one step of an expansion looks at. */
const WINDOW = 5000;

const state = z.object({
  id: z.string(),
  status: z.enum(["scheduled", "running", "paused", "completed", "cancelled", "failed"]),
  template_id: z.string(),
  connection_id: z.string(),
  channel: z.string(),
  audience: fromJson(storedAudience),
  cursor: z.number().nullable(),
  audience_ready_at: z.number().nullable(),
  scheduled_at: z.number().nullable(),
  send_before: z.number().nullable(),
  taken: z.number(),
  answered: z.number(),
  messages_per_second: z.number(),
});

export type CampaignState = z.infer<typeof state>;

export async function read(ctx: Ctx, id: string): Promise<CampaignState | null> {
  const [row] = await ctx.db.all(sql`
    SELECT p.id, p.status, p.template_id, p.connection_id, p.channel, p.audience, p.cursor, p.audience_ready_at, p.scheduled_at,
      p.send_before, p.taken, p.answered, k.messages_per_second
    FROM campaigns p CROSS JOIN connections k ON k.id = p.connection_id
    WHERE p.id = ${id} AND p.workspace_id = ${ctx.workspace.id}`);
  return row === undefined ? null : state.parse(row);
}

const isExpanding = (ctx: Ctx, id: string, cursor: number): SQL =>
  sql`${own(ctx, id)} AND cursor = ${cursor} AND status IN ('running', 'paused') AND audience_ready_at IS NULL`;

/** True in SQL for contacts `c` that became recipients of campaign `p` already, with a contact that was joined into them since. */
const isIncluded = sql`EXISTS (
  SELECT 1 FROM contact_joins j CROSS JOIN messages m ON m.contact_seq IN (c.seq, j.from_seq) AND m.connection_id = p.connection_id
    AND m.id >= p.message_prefix AND m.id < p.message_prefix || ':'
  WHERE j.into_seq = c.seq)`;

/**
 * Makes recipients of the next contacts behind `cursor`, numbered on from those there are, and moves it; nothing where another
 * has moved it. Null, or where the cursor is then and whether that is the end.
 */
export async function expandWindow(ctx: Ctx, id: string, cursor: number, audience: ResolvedAudience) {
  const end = sql`min(cursor + ${WINDOW}, top)`;
  const [, moved] = await batch(ctx.db, [
    insertRecipients(
      ctx,
      sql`
        SELECT ${recipientId(sql`p.expanded + row_number() OVER (ORDER BY c.seq) - 1`)} AS id, c.seq AS contact_seq,
          p.connection_id AS connection_id, p.id AS campaign_id, p.template_id AS template_id, c.phone AS address
        FROM (SELECT *, ${end} AS until FROM campaigns WHERE ${isExpanding(ctx, id, cursor)}) p
        CROSS JOIN contacts c ON c.seq > p.cursor AND c.seq <= p.until
        WHERE ${isMeant(audience)} AND ${unreachable(ctx)} IS NULL AND NOT ${isIncluded}`,
    ),
    sql`
      UPDATE campaigns SET expanded = expanded + changes(), cursor = ${end},
        audience_ready_at = iif(cursor + ${WINDOW} >= top, ${ctx.now()}, NULL),
        recipient_count = iif(cursor + ${WINDOW} >= top, expanded + changes(), recipient_count)
      WHERE ${isExpanding(ctx, id, cursor)}
      RETURNING cursor, audience_ready_at IS NOT NULL AS is_ready`,
  ]);
  const [row] = z.array(z.object({ cursor: z.number(), is_ready: z.number() })).parse(moved);
  return row === undefined ? null : { cursor: row.cursor, isReady: row.is_ready === 1 };
}

/** A lease that nobody settled by then is given up. Sending for one ends well before. */
const LEASE_MS = 120_000;

/** Gives up leases whose holder is gone: what they had not settled becomes `unknown`. */
export async function recoverLeases(live: Ctx, id: string): Promise<void> {
  const ctx = atOneMoment(live);
  const before = ctx.now() - LEASE_MS;
  const lost = sql`leases WHERE campaign_id = ${id} AND settled_at IS NULL AND taken_at <= ${before}`;
  const ids = sql`
    SELECT m.id FROM (SELECT * FROM ${lost}) l CROSS JOIN campaigns p ON p.id = l.campaign_id
    CROSS JOIN messages m ON m.id >= ${recipientId(sql`l.lo`)} AND m.id < ${recipientId(sql`l.hi`)} WHERE ${isUnsettledFirst}
    UNION ALL SELECT m.id FROM messages m WHERE m.campaign_id = ${id} AND ${isUnsettledAgain(before)}`;
  await batch(ctx.db, [
    ...abandon(ctx, ids),
    sql`
      UPDATE campaigns SET answered = answered + (SELECT coalesce(sum(hi - lo + retries), 0) FROM ${lost})
      WHERE ${own(ctx, id)} AND EXISTS (SELECT 1 FROM ${lost})`,
    sql`
      UPDATE leases SET settled_at = ${ctx.now()} WHERE campaign_id = ${id} AND settled_at IS NULL AND taken_at <= ${before}`,
  ]);
}

/** How many rows of what is over one step deletes: the campaign is looked after until none is left. */
const FORGOTTEN = 5000;

/** Ends what has nothing left to do, or no time left to do it in. Forgets leases whose grants are stale, and all that is kept of what is over. */
export async function finish(ctx: Ctx, id: string): Promise<void> {
  const over = sql`campaigns WHERE ${own(ctx, id)} AND completed_at IS NOT NULL AND taken = answered AND wake_at IS NOT NULL`;
  const isOver = sql`EXISTS (SELECT 1 FROM ${over})`;
  await batch(ctx.db, [
    complete(ctx, id),
    sql`DELETE FROM leases WHERE campaign_id = ${id} AND grant_id IN (
      SELECT grant_id FROM leases WHERE campaign_id = ${id} AND (settled_at <= ${ctx.now() - LEASE_MS} OR ${isOver}) LIMIT ${FORGOTTEN})`,
    sql`DELETE FROM spent_numbers WHERE campaign_id = ${id} AND phone_key IN (
      SELECT phone_key FROM spent_numbers WHERE campaign_id = ${id} AND ${isOver} LIMIT ${FORGOTTEN})`,
    sql`UPDATE campaigns SET wake_at = NULL WHERE id = (SELECT id FROM ${over})
      AND NOT EXISTS (SELECT 1 FROM leases WHERE campaign_id = ${id})
      AND NOT EXISTS (SELECT 1 FROM spent_numbers WHERE campaign_id = ${id})`,
  ]);
}

const awake = z.object({ id: z.string(), wake_at: z.number(), workspace_id: z.string(), workspace_number: z.number() });

export type AwakeCampaign = z.infer<typeof awake>;

/** Campaigns of any workspace that are to be looked after by `now`, behind the one that was given last. */
export async function listAwake(
  db: Database,
  now: number,
  last: Pick<AwakeCampaign, "id" | "wake_at">,
  limit: number,
): Promise<AwakeCampaign[]> {
  const rows = await db.all(sql`
    SELECT id, wake_at, workspace_id, workspace_number FROM campaigns
    WHERE wake_at <= ${now} AND (wake_at, id) > (${last.wake_at}, ${last.id}) ORDER BY wake_at, id LIMIT ${limit}`);
  return z.array(awake).parse(rows);
}
