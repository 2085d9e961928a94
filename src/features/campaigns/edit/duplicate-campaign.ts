import { desc, eq, sql } from "drizzle-orm";
import { campaigns } from "../../../db/schema/index.ts";
import type { Ctx } from "../../../shared/context.ts";
import { notFound } from "../../../shared/errors.ts";
import { decideAndCommit } from "../../commits/decide-and-commit.ts";
import { type CampaignRecord, campaignRecord } from "../campaigns.schemas.ts";
import { currentCampaign } from "../campaigns.sql.ts";
import { selectCampaignRequest } from "../read-stored-campaign.ts";
import { msOrNull } from "../start/plan-campaign.ts";
import { insertDraft } from "../start/start-campaign.sql.ts";
import { type CampaignRequestRow, changesOf, copyOf, nameOfCopy, requestOf } from "./stored-request.ts";

/** The name of a copy is compared with only this many recent names, so an older campaign can have the same name. */
const MAX_NAMES = 1000;

function selectNamesOfCopies(ctx: Ctx) {
  const recent = ctx.db
    .select({ name: campaigns.name })
    .from(campaigns)
    .where(eq(campaigns.workspaceId, ctx.workspace.id))
    .orderBy(desc(campaigns.id))
    .limit(MAX_NAMES)
    .as("recent");
  return ctx.db
    .select({ name: recent.name })
    .from(recent)
    .where(sql`instr(${recent.name}, ' (copy') > 0`);
}

const draftRow = (id: string, { request, connection_id, audience }: CampaignRequestRow) => ({
  id,
  request,
  connectionId: connection_id,
  audience: { ...audience, resolved: null },
  recipientCount: 0,
  scheduledAt: msOrNull(request.scheduled_at),
  sendBefore: msOrNull(request.send_before),
});

/** Omits times in the past. The copy is not validated here, because a later change or start validates it. */
export function duplicateCampaign(ctx: Ctx, id: string): Promise<CampaignRecord> {
  const copyId = ctx.newId("cmp");
  return decideAndCommit(ctx, {
    shape: campaignRecord,
    reads: { campaigns: selectCampaignRequest(ctx, id), copies: selectNamesOfCopies(ctx) },
    decide({ campaigns: [source], copies }) {
      if (source === undefined) return notFound("campaign");
      const name = nameOfCopy(source.request.name, new Set(copies.map((copy) => copy.name)));
      const copy = copyOf(source, name, ctx.now());
      const set = changesOf(null, { request: requestOf(copy), connectionId: source.connection_id });
      return {
        writes: [insertDraft(ctx, draftRow(copyId, copy))],
        events: [{ type: "campaign.created", id: copyId, changes: { ...set, status: [null, "draft"] } }],
        answer: currentCampaign(ctx, copyId),
      };
    },
  });
}
