import { sql } from "drizzle-orm";
import { transact } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { AppError, notFound } from "../../../shared/errors.ts";
import { commitOnce, findReplay, selectIdempotencyRecord } from "../../idempotency/idempotency.service.ts";
import { type CampaignRecord, campaignRecord } from "../campaigns.schemas.ts";
import { campaignAsJson } from "../campaigns.sql.ts";
import { type CampaignRequestRow, selectCampaignRequest } from "../start/describe-audience.sql.ts";
import { insertDraft } from "../start/start-campaign.sql.ts";
import { isNameFree, selectNamesOfCopies } from "./duplicate-campaign.sql.ts";
import { nameOfCopy } from "./name-of-copy.ts";
import { changesOf, requestOf } from "./stored-request.ts";

/** Each attempt gives one of several callers at once its name. */
const MAX_ATTEMPTS = 10;

/** The copy, or null where another campaign has been given the name meanwhile. */
async function storeCopy(ctx: Ctx, source: CampaignRequestRow, name: string): Promise<CampaignRecord | null> {
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
    effects: (guard) => insertDraft(ctx, row, changes, sql`${guard} AND ${isNameFree(ctx, name)}`),
    result: campaignAsJson(ctx, row.id),
    shape: campaignRecord,
  });
  return result;
}

/**
 * Makes a draft that asks for the same as a campaign of any status; times of it that have passed are left out. Nothing is checked
 * until the draft is changed or started. Throws `not_found`.
 */
export async function duplicateCampaign(ctx: Ctx, id: string): Promise<CampaignRecord> {
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const { record, campaign, copies } = await transact(ctx.db, {
      record: selectIdempotencyRecord(ctx),
      campaign: selectCampaignRequest(ctx, id),
      copies: selectNamesOfCopies(ctx),
    });
    const known = findReplay(ctx, record, campaignRecord);
    if (known !== null) return known;
    const [source] = campaign;
    if (source === undefined) throw notFound("campaign");
    const name = nameOfCopy(source.name, new Set(copies.map((copy) => copy.name)));
    const stored = await storeCopy(ctx, source, name);
    if (stored !== null) return stored;
  }
  throw new AppError("unavailable", "This campaign is being copied by many requests at once. Try again shortly.");
}
