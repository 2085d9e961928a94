import { sql } from "drizzle-orm";
import type { SQL } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { MINUTE_MS } from "../../../shared/durations.ts";
import { baseSeq, lastSeq } from "../../contacts/contacts.sql.ts";
import type { ResolvedAudience, StoredAudience } from "../campaigns.schemas.ts";

export interface NewCampaign {
  id: string;
  name: string;
  templateId: string;
  channel: string;
  connectionId: string;
  audience: StoredAudience;
  variables: Record<string, string> | null;
  recipientCount: number;
  scheduledAt: number | null;
  sendBefore: number | null;
}

export interface Beginning {
  messagePrefix: string;
  resolved: ResolvedAudience;
}

const ALARM_MS = MINUTE_MS;

/** Adds a campaign, scheduled or, with a `beginning`, running. */
export const insert = (ctx: Ctx, row: NewCampaign, beginning: Beginning | null, guard: SQL): SQL => {
  const now = ctx.now();
  const audience: StoredAudience = { ...row.audience, resolved: beginning?.resolved ?? null };
  const started =
    beginning === null
      ? sql`NULL, NULL, NULL, NULL`
      : // Whoever is a contact by now can be a recipient, and nobody who comes later.
        sql`${beginning.messagePrefix}, ${lastSeq(ctx)}, ${baseSeq(ctx)}, ${now}`;
  return sql`
    INSERT INTO campaigns (id, workspace_id, workspace_number, name, template_id, channel, connection_id, status, audience, variables,
      recipient_count, scheduled_at, send_before, created_at, pace_at, wake_at, message_prefix, top, cursor, started_at)
    SELECT ${row.id}, ${ctx.workspace.id}, ${ctx.workspace.number}, ${row.name}, ${row.templateId}, ${row.channel}, ${row.connectionId},
      ${beginning === null ? "scheduled" : "running"}, ${JSON.stringify(audience)}, ${JSON.stringify(row.variables)},
      ${row.recipientCount}, ${row.scheduledAt}, ${row.sendBefore}, ${now}, ${now}, ${row.scheduledAt ?? now + ALARM_MS}, ${started}
    WHERE ${guard}`;
};

/** One row with what the start is answered with as JSON in `result`, or none. */
export const startedAsJson = (ctx: Ctx, id: string): SQL => sql`
  SELECT json_object('campaign_id', id, 'recipient_count', recipient_count, 'status', status) AS result
  FROM campaigns WHERE id = ${id} AND workspace_id = ${ctx.workspace.id}`;

const waiting = (ctx: Ctx, id: string): SQL =>
  sql`id = ${id} AND workspace_id = ${ctx.workspace.id} AND status = 'scheduled'`;

/** Lets a scheduled campaign run. */
export const begin = (
  ctx: Ctx,
  id: string,
  audience: StoredAudience,
  { messagePrefix, resolved }: Beginning,
  count: number,
): SQL => sql`
  UPDATE campaigns SET status = 'running', started_at = ${ctx.now()}, pace_at = ${ctx.now()}, wake_at = ${ctx.now() + ALARM_MS},
    audience = ${JSON.stringify({ ...audience, resolved })}, message_prefix = ${messagePrefix},
    top = ${lastSeq(ctx)}, cursor = ${baseSeq(ctx)}, recipient_count = ${count}
  WHERE ${waiting(ctx, id)}`;

/** Gives up a scheduled campaign. */
export const fail = (ctx: Ctx, id: string, error: string): SQL => sql`
  UPDATE campaigns SET status = 'failed', last_error = ${error}, completed_at = ${ctx.now()}, wake_at = NULL
  WHERE ${waiting(ctx, id)}`;
