import { sql } from "drizzle-orm";
import { campaigns } from "../../../db/schema/index.ts";
import { transact } from "../../../db/statement.ts";
import { bySystem, type Ctx } from "../../../shared/context.ts";
import { messageError } from "../../../channels/answers.ts";
import { type UploadOutcome, MediaUnavailable } from "../../../channels/channel.ts";
import { loadChannel } from "../../../channels/registry.ts";
import { MINUTE_MS } from "../../../shared/time/durations.ts";
import { log } from "../../../shared/logger.ts";
import { findConnection } from "../../connections/connections.sql.ts";
import { applyConnectionNotice } from "../../connections/connection-status.sql.ts";
import { tryOpenConnection } from "../../connections/open-connection.ts";
import { claimUpload, releaseUpload, createMediaLibrary } from "../../media/open/open-media.ts";
import { createPhoneNetwork } from "../../sandbox/sandbox.service.ts";
import { sentFileIds } from "../../templates/template-files.ts";
import { selectTemplateFiles } from "../../templates/templates.sql.ts";
import { changeCampaignStatus, isCampaign } from "../campaigns.sql.ts";
import { pauseRunningCampaign } from "../lease/settle-lease.sql.ts";
import type { CampaignState } from "./advance-campaign.sql.ts";
import { enqueueAdvance } from "./enqueue-advance.ts";

async function failRunningCampaign(ctx: Ctx, id: string, error: string): Promise<void> {
  await transact(ctx.db, {
    failed: changeCampaignStatus(
      bySystem(ctx),
      "campaign.failed",
      { status: "failed", lastError: error, completedAt: ctx.now(), wakeAt: ctx.now() },
      sql`${isCampaign(ctx, id)} AND ${campaigns.status} = 'running' AND ${campaigns.claimed} = 0`,
    ),
  });
}

/**
 * No upload is possible while sending is off. That time must not count towards `MAX_WAIT_MS`, so the wait starts again.
 */
const postponeUploads = (ctx: Ctx, id: string) =>
  transact(ctx.db, {
    postponed: ctx.db
      .update(campaigns)
      .set({ wakeAt: ctx.now() })
      .where(sql`${isCampaign(ctx, id)} AND ${campaigns.status} = 'running' AND ${campaigns.claimed} = 0`),
  });

/** A campaign waits for its files until this time after `wake_at`. Then it pauses. */
const MAX_WAIT_MS = 10 * MINUTE_MS;
const RETRY_MS = 5000;

type FailedUpload = Exclude<UploadOutcome, { kind: "uploaded" }>;

const unreachable = (message: string): FailedUpload => ({
  kind: "retry",
  error: messageError("provider_unreachable", message),
});

async function uploadAll(ctx: Ctx, connectionId: string, ids: readonly string[]): Promise<FailedUpload | null> {
  const row = await findConnection(ctx, connectionId);
  // Returns no failure, because the code that leases messages also finds that the connection cannot send, and pauses
  // the campaign.
  if (row?.status !== "active") return null;
  const channel = await loadChannel(row.provider);
  if (channel?.uploadMedia === undefined) return null;
  const connection = await tryOpenConnection(ctx, row);
  if (connection === null) return unreachable("The connection's secrets could not be decrypted.");
  const media = createMediaLibrary(ctx);
  const io = {
    upstream: ctx.upstream,
    download: ctx.download,
    memory: ctx.cache,
    phoneNetwork: createPhoneNetwork(ctx),
    now: ctx.now,
    media,
  };
  for (const id of ids) {
    try {
      const file = await media.open(id);
      const claim = await claimUpload(ctx, connectionId, file);
      if (claim === "under_way") return unreachable("The file is being uploaded.");
      const outcome = claim === "claimed" ? await channel.uploadMedia(connection, file, io) : null;
      if (outcome === null || outcome.kind === "uploaded") continue;
      await releaseUpload(ctx, connectionId, file);
      return outcome;
    } catch (error) {
      if (error instanceof MediaUnavailable)
        return { kind: "refused", error: messageError("media_invalid", error.message) };
      log.error("file_not_uploaded", { connectionId, mediaId: id, error });
      return unreachable("The provider could not be reached.");
    }
  }
  return null;
}

type FilesState = { kind: "ready" } | { kind: "waiting"; code: string } | { kind: "failed"; code: string };

async function uploadFiles(ctx: Ctx, connectionId: string, ids: readonly string[]): Promise<FilesState> {
  const { files } = await transact(ctx.db, { files: selectTemplateFiles(ctx, ids) });
  const statuses = ids.map((id) => files.find((file) => file.id === id)?.status);
  if (statuses.some((status) => status !== "stored" && status !== "pending"))
    return { kind: "failed", code: "media_invalid" };
  if (statuses.includes("pending")) return { kind: "waiting", code: "media_invalid" };
  const failure = await uploadAll(ctx, connectionId, ids);
  if (failure === null) return { kind: "ready" };
  const { kind, error, notice } = failure;
  if (notice !== undefined) {
    await applyConnectionNotice(ctx, connectionId, notice, ctx.now());
    // The connection has failed. The campaign continues, because the code that leases messages finds this and pauses
    // it.
    if (notice.status !== "active") return { kind: "ready" };
  }
  return { kind: kind === "refused" ? "failed" : "waiting", code: error.code };
}

/**
 * Uploads the files before the first message is sent. Returns true if the campaign can send. If a file is unusable, the
 * campaign fails. If the files are not uploaded after `MAX_WAIT_MS`, the campaign pauses.
 */
export async function uploadCampaignFiles(ctx: Ctx, { id, connection_id, request, wake_at }: CampaignState) {
  const ids = [...new Set(sentFileIds(request))];
  if (ids.length === 0) return true;
  if (!ctx.sends) {
    await postponeUploads(ctx, id);
    return false;
  }
  const state = await uploadFiles(ctx, connection_id, ids);
  switch (state.kind) {
    case "ready":
      return true;
    case "failed":
      await failRunningCampaign(ctx, id, state.code);
      return false;
    case "waiting": {
      const age = ctx.now() - (wake_at ?? ctx.now());
      // After the first minute, the sweep retries every minute.
      if (age < MINUTE_MS) await enqueueAdvance(ctx, id, RETRY_MS);
      if (age >= MAX_WAIT_MS) await pauseRunningCampaign(ctx, id, state.code);
      return false;
    }
  }
}
