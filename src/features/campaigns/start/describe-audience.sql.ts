import { sql } from "drizzle-orm";
import * as z from "zod";
import { columns } from "../../../db/columns.ts";
import { campaigns, segments, tags } from "../../../db/schema/index.ts";
import { statement, type Statement } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { fromJson } from "../../../shared/text/json.ts";
import { campaignRecord, storedAudience, storedRequest } from "../campaigns.schemas.ts";
import { requestJson } from "../campaigns.sql.ts";

const p = columns(campaigns, "p");
const s = columns(segments, "s");
const t = columns(tags, "t");

const campaignRequest = campaignRecord.pick({ connection_id: true, status: true, recipient_count: true }).extend({
  request: fromJson(storedRequest),
  revision: z.number(),
  audience: fromJson(storedAudience),
  segment_name: z.string().nullable(),
  /** The existing tags of the campaign's filter. */
  tags: fromJson(z.array(z.object({ number: z.number(), name: z.string() }))),
});

export type CampaignRequestRow = z.infer<typeof campaignRequest>;

/** A campaign's stored request, and the current names of its tags and segment. */
export const selectCampaignRequest = (ctx: Ctx, id: string): Statement<CampaignRequestRow> =>
  statement(
    campaignRequest,
    sql`
      SELECT ${requestJson} AS request, ${p.revision} AS revision, ${p.connectionId} AS connection_id, ${p.status} AS status,
        ${p.recipientCount} AS recipient_count, ${p.audience} AS audience, ${s.name} AS segment_name,
        (SELECT json_group_array(json_object('number', ${t.number}, 'name', ${t.name})) FROM json_each(${p.audience}, '$.filter.tags') e
          CROSS JOIN tags t ON ${t.workspaceId} = ${p.workspaceId} AND ${t.number} = e.value ->> 'number' AND ${t.deletedAt} IS NULL) AS tags
      FROM campaigns p
      LEFT JOIN segments s ON ${s.id} = ${p.audience} ->> 'segmentId' AND ${s.workspaceId} = ${p.workspaceId}
      WHERE ${p.id} = ${id} AND ${p.workspaceId} = ${ctx.workspace.id}`,
  );
