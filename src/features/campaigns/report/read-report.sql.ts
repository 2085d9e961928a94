import { sql } from "drizzle-orm";
import * as z from "zod";
import { columns } from "../../../db/columns.ts";
import { campaigns, tallies } from "../../../db/schema/index.ts";
import { statement, type Statement } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { fromJson } from "../../../shared/text/json.ts";
import { campaignRecord } from "../campaigns.schemas.ts";

const p = columns(campaigns, "p");
const t = columns(tallies, "t");
const campaign = columns(campaigns);

const counts = fromJson(z.record(z.string(), z.number())).nullable();

const details = z.object({ timeline: counts, reasons: counts });

/** A campaign's messages over time and by reason; no row if it has sent nothing. */
export const selectTallyDetails = (ctx: Ctx, id: string): Statement<z.infer<typeof details>> =>
  statement(
    details,
    sql`
      SELECT ${t.timeline} AS timeline, ${t.reasons} AS reasons FROM campaigns p CROSS JOIN tallies t ON ${t.campaignId} = ${p.id}
      WHERE ${p.id} = ${id} AND ${p.workspaceId} = ${ctx.workspace.id}`,
  );

const tallied = campaignRecord.shape.tally;

/** How many earlier campaigns are searched, and the most to compare with. */
const LOOKED_AT = 60;
const COMPARED = 20;

/** The counts of the latest earlier campaigns that were sent completely. */
export const selectEarlierTallies = (ctx: Ctx, id: string): Statement<z.infer<typeof tallied>> =>
  statement(
    tallied,
    sql`
      SELECT ${t.sent} AS sent, ${t.delivered} AS delivered, ${t.read} AS read, ${t.failed} AS failed, ${t.skipped} AS skipped, ${t.unknown} AS unknown
      FROM (
        SELECT ${campaign.id}, ${campaign.status} FROM campaigns
        WHERE ${campaign.workspaceId} = ${ctx.workspace.id} AND ${campaign.id} < ${id} ORDER BY ${campaign.id} DESC LIMIT ${LOOKED_AT}) p
      CROSS JOIN tallies t ON ${t.campaignId} = ${p.id}
      WHERE ${p.status} = 'completed' ORDER BY ${p.id} DESC LIMIT ${COMPARED}`,
  );
