import * as z from "zod";
import { sql } from "../../../db/sql.ts";
import { statement, type Statement } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { fromJson } from "../../../shared/json.ts";
import { campaignParts } from "../../templates/sent-parts.schemas.ts";
import { storedAudience, storedVariables } from "../campaigns.schemas.ts";

const campaignRequest = z.object({
  audience: fromJson(storedAudience),
  variables: fromJson(storedVariables),
  parts: fromJson(campaignParts).nullable(),
  segment_name: z.string().nullable(),
});

/** The audience and values a campaign was started with, and the name its segment has by now. */
export const selectCampaignRequest = (ctx: Ctx, id: string): Statement<z.infer<typeof campaignRequest>> =>
  statement(
    campaignRequest,
    sql`
      SELECT p.audience AS audience, p.variables AS variables, p.parts AS parts, s.name AS segment_name
      FROM campaigns p
      LEFT JOIN segments s ON s.id = p.audience ->> 'segmentId' AND s.workspace_id = p.workspace_id
      WHERE p.id = ${id} AND p.workspace_id = ${ctx.workspace.id}`,
  );
