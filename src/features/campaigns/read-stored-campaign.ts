import { sql } from "drizzle-orm";
import type * as z from "zod";
import { columns } from "../../db/columns.ts";
import { campaigns, segments, tags } from "../../db/schema/index.ts";
import { fetchRow, statement, transact } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { notFound } from "../../shared/errors.ts";
import { findReplay, selectReplay } from "../idempotency/idempotency.service.ts";
import { requestJson } from "./campaigns.sql.ts";
import { partsOf } from "./campaigns.variables.ts";
import { campaignRequest, type CampaignRequestRow, describeStoredAudience, requestOf } from "./edit/stored-request.ts";

const p = columns(campaigns, "p");
const s = columns(segments, "s");
const t = columns(tags, "t");

/**
 * Reads the request with the current names of its tags and segment, because they can have been renamed. Raw SQL,
 * because the audience contains the numbers of its tags as JSON.
 */
export const selectCampaignRequest = (ctx: Ctx, id: string) =>
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

async function readCampaignRequest(ctx: Ctx, id: string): Promise<CampaignRequestRow> {
  const row = await fetchRow(ctx.db, selectCampaignRequest(ctx, id));
  if (row === undefined) throw notFound("campaign");
  return row;
}

export async function getCampaignRequest(ctx: Ctx, id: string) {
  const row = await readCampaignRequest(ctx, id);
  const { variables = null } = row.request;
  return { audience: describeStoredAudience(row), variables, parts: partsOf(row.request) };
}

export async function getStoredRequest(ctx: Ctx, id: string) {
  const row = await readCampaignRequest(ctx, id);
  const { connection_id: connectionId, status, revision } = row;
  return { request: requestOf(row), connectionId, status, revision };
}

export async function readStoredCampaign<R>(ctx: Ctx, id: string, replayShape: z.ZodType<R>) {
  const rows = await transact(ctx.db, {
    replays: selectReplay(ctx),
    campaign: selectCampaignRequest(ctx, id),
  });
  const replay = findReplay(ctx, rows.replays, replayShape);
  if (replay !== null) return { replay };
  const [stored] = rows.campaign;
  if (stored === undefined) throw notFound("campaign");
  return { stored };
}
