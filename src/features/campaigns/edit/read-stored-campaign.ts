import type * as z from "zod";
import { transact } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { notFound } from "../../../shared/errors.ts";
import { findReplay, selectIdempotencyRecord } from "../../idempotency/idempotency.service.ts";
import { type CampaignRequestRow, selectCampaignRequest } from "../start/describe-audience.sql.ts";

/** A stored campaign, or the answer that the request was given before. Throws `not_found`. */
export async function readStoredCampaign<R>(
  ctx: Ctx,
  id: string,
  answerShape: z.ZodType<R>,
): Promise<{ stored: CampaignRequestRow } | { known: R }> {
  const { record, campaign } = await transact(ctx.db, {
    record: selectIdempotencyRecord(ctx),
    campaign: selectCampaignRequest(ctx, id),
  });
  const known = findReplay(ctx, record, answerShape);
  if (known !== null) return { known };
  const [stored] = campaign;
  if (stored === undefined) throw notFound("campaign");
  return { stored };
}
