import type * as z from "zod";
import { fetchRow, transact } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { notFound } from "../../../shared/errors.ts";
import { findReplay, selectReplay } from "../../idempotency/idempotency.service.ts";
import type { CampaignRecord, StartCampaign } from "../campaigns.schemas.ts";
import { type CampaignRequestRow, selectCampaignRequest } from "../start/describe-audience.sql.ts";
import { requestOf } from "./stored-request.ts";

/** A stored campaign, or the stored answer of the request. Throws `not_found`. */
export async function readStoredCampaign<R>(
  ctx: Ctx,
  id: string,
  answerShape: z.ZodType<R>,
): Promise<{ stored: CampaignRequestRow } | { known: R }> {
  const { record, campaign } = await transact(ctx.db, {
    record: selectReplay(ctx),
    campaign: selectCampaignRequest(ctx, id),
  });
  const known = findReplay(ctx, record, answerShape);
  if (known !== null) return { known };
  const [stored] = campaign;
  if (stored === undefined) throw notFound("campaign");
  return { stored };
}

interface StoredRequest {
  request: StartCampaign;
  connectionId: string;
  status: CampaignRecord["status"];
  revision: number;
}

/** The request that would create the stored campaign. Throws `not_found`. */
export async function getStoredRequest(ctx: Ctx, id: string): Promise<StoredRequest> {
  const row = await fetchRow(ctx.db, selectCampaignRequest(ctx, id));
  if (row === undefined) throw notFound("campaign");
  const { connection_id: connectionId, status, revision } = row;
  return { request: requestOf(row), connectionId, status, revision };
}
