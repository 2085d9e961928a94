import { transact } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { notFound } from "../../../shared/errors.ts";
import { commitOnce, findReplay, selectIdempotencyRecord } from "../../idempotency/idempotency.service.ts";
import { type CampaignRecord, campaignRecord } from "../campaigns.schemas.ts";
import { campaignAsJson } from "../campaigns.sql.ts";
import { selectCampaignRequest } from "../start/describe-audience.sql.ts";
import { insertDraft } from "../start/start-campaign.sql.ts";
import { nameOfCopy } from "./name-of-copy.ts";
import { selectSimilarNames } from "./duplicate-campaign.sql.ts";
import { changesOf, requestOf } from "./stored-request.ts";

/**
 * Makes a draft that asks for the same as a campaign of any status; times of it that have passed are left out. Nothing is checked
 * until the draft is changed or started. Throws `not_found`.
 */
export async function duplicateCampaign(ctx: Ctx, id: string): Promise<CampaignRecord> {
  const { record, campaign, similar } = await transact(ctx.db, {
    record: selectIdempotencyRecord(ctx),
    campaign: selectCampaignRequest(ctx, id),
    similar: selectSimilarNames(ctx, id),
  });
  const known = findReplay(ctx, record, campaignRecord);
  if (known !== null) return known;
  const [source] = campaign;
  if (source === undefined) throw notFound("campaign");
  const name = nameOfCopy(source.name, new Set(similar.map((other) => other.name)));
  const ifAhead = (at: number | null) => (at !== null && at > ctx.now() ? at : null);
  const copy = {
    ...source,
    name,
    scheduled_at: ifAhead(source.scheduled_at),
    send_before: ifAhead(source.send_before),
  };
  const row = {
    id: ctx.newId("cmp"),
    name,
    templateId: source.template_id,
    channel: source.channel,
    connectionId: source.connection_id,
    audience: { ...source.audience, resolved: null },
    variables: source.variables,
    parts: source.parts,
    recipientCount: 0,
    scheduledAt: copy.scheduled_at,
    sendBefore: copy.send_before,
  };
  const set = changesOf(null, { request: requestOf(copy), connectionId: source.connection_id });
  const changes = JSON.stringify({ ...set, status: [null, "draft"] });
  const { result } = await commitOnce(ctx, {
    effects: (guard) => insertDraft(ctx, row, changes, guard),
    result: campaignAsJson(ctx, row.id),
    shape: campaignRecord,
  });
  if (result === null) throw new Error("A new draft was not stored.");
  return result;
}
