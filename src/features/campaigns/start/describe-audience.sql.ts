import { sql } from "drizzle-orm";
import * as z from "zod";
import { statement, type Statement } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { fromJson } from "../../../shared/json.ts";
import { campaignParts } from "../../templates/model/sent-parts.schemas.ts";
import { campaignRecord, storedAudience, storedVariables } from "../campaigns.schemas.ts";
import { requestedValues } from "../campaigns.sql.ts";

const campaignRequest = campaignRecord
  .pick({
    name: true,
    template_id: true,
    channel: true,
    connection_id: true,
    status: true,
    recipient_count: true,
    scheduled_at: true,
    send_before: true,
  })
  .extend({
    audience: fromJson(storedAudience),
    variables: fromJson(storedVariables),
    parts: fromJson(campaignParts).nullable(),
    segment_name: z.string().nullable(),
    /** The tags of its filter that still exist. */
    tags: fromJson(z.array(z.object({ number: z.number(), name: z.string() }))),
    /** As `requestedValues`. */
    requested: z.string(),
  });

export type CampaignRequestRow = z.infer<typeof campaignRequest>;

/** The request that a campaign was made with, and the names that its tags and its segment have by now. */
export const selectCampaignRequest = (ctx: Ctx, id: string): Statement<CampaignRequestRow> =>
  statement(
    campaignRequest,
    sql`
      SELECT p.name AS name, p.template_id AS template_id, p.channel AS channel, p.connection_id AS connection_id, p.status AS status,
        p.recipient_count AS recipient_count, p.scheduled_at AS scheduled_at, p.send_before AS send_before,
        p.audience AS audience, p.variables AS variables, p.parts AS parts, s.name AS segment_name,
        (SELECT json_group_array(json_object('number', t.number, 'name', t.name)) FROM json_each(p.audience, '$.filter.tags') e
          CROSS JOIN tags t ON t.workspace_id = p.workspace_id AND t.number = e.value ->> 'number' AND t.deleted_at IS NULL) AS tags,
        ${requestedValues(sql`p`)} AS requested
      FROM campaigns p
      LEFT JOIN segments s ON s.id = p.audience ->> 'segmentId' AND s.workspace_id = p.workspace_id
      WHERE p.id = ${id} AND p.workspace_id = ${ctx.workspace.id}`,
  );
