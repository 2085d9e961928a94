import { sql } from "drizzle-orm";
import type { Statement } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { type CampaignRow, selectCampaignsWhere } from "./campaigns.sql.ts";

/** As many as a month shows. */
const MAX_SHOWN = 500;

const calendarTime = sql`coalesce(p.started_at, p.scheduled_at)`;

/**
 * Campaigns whose start lies between two times (ms since the epoch), by that time: started, scheduled, and drafts with a time.
 */
export const selectCalendar = (ctx: Ctx, from: number, to: number): Statement<CampaignRow> =>
  selectCampaignsWhere(
    ctx,
    sql`(p.started_at IS NOT NULL OR p.status IN ('scheduled', 'draft')) AND ${calendarTime} >= ${from} AND ${calendarTime} < ${to}`,
    sql`${calendarTime}, p.id LIMIT ${MAX_SHOWN}`,
  );
