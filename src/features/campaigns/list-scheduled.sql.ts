import { sql } from "../../db/sql.ts";
import type { Statement } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { type CampaignRow, selectCampaignsWhere } from "./campaigns.sql.ts";

/** As many as a month shows. */
const MAX_SHOWN = 500;

/** Campaigns that are to start, and drafts with a time, between two times (ms since the epoch), in their order. */
export const selectScheduledBetween = (ctx: Ctx, from: number, to: number): Statement<CampaignRow> =>
  selectCampaignsWhere(
    ctx,
    sql`p.status IN ('scheduled', 'draft') AND p.scheduled_at >= ${from} AND p.scheduled_at < ${to}`,
    sql`p.scheduled_at, p.id LIMIT ${MAX_SHOWN}`,
  );
