import { messageError } from "../../../channels/answers.ts";
import { type UploadOutcome, MediaUnavailable } from "../../../channels/channel.ts";
import { loadChannel } from "../../../channels/registry.ts";
import { transact } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { MINUTE_MS } from "../../../shared/time/durations.ts";
import { log } from "../../../shared/logger.ts";
import { applyConnectionNotice } from "../../connections/connection-status.sql.ts";
import { tryOpenConnection } from "../../connections/open-connection.ts";
import { claimUpload, releaseUpload, createMediaLibrary } from "../../media/open/open-media.ts";
import { createPhoneNetwork } from "../../sandbox/sandbox.service.ts";
import { sentFileIds } from "../../templates/template-files.ts";
import { selectTemplateFiles } from "../../templates/templates.sql.ts";
import { pauseRunningCampaign } from "../lease/settle-lease.sql.ts";
import type { CampaignState } from "./advance-campaign.sql.ts";
import { enqueueAdvance } from "./enqueue-advance.ts";
import { failRunningCampaign, selectSendingConnection } from "./upload-files.sql.ts";

/** How long after its start a campaign waits for its files before it pauses. */
const MAX_WAIT_MS = 10 * MINUTE_MS;
const RETRY_MS = 5000;

type FailedUpload = Exclude<UploadOutcome, { kind: "uploaded" }>;

const unreachable = (message: string): FailedUpload => ({
  kind: "retry",
  error: messageError("provider_unreachable", message),
});

/** Uploads the files that the provider does not have yet. Returns the first failure, or null. */
async function uploadAll(ctx: Ctx, connectionId: string, ids: readonly string[]): Promise<FailedUpload | null> {
  const { connections } = await transact(ctx.db, { connections: selectSendingConnection(ctx, connectionId) });
  const [row] = connections;
  // A connection that cannot send is handled by the leases, with their own reason.
  if (row === undefined) return null;
  const channel = await loadChannel(row.provider);
  if (channel?.uploadMedia === undefined) return null;
  const connection = await tryOpenConnection(ctx, { id: connectionId, ...row });
  if (connection === null) return unreachable("The connection could not be opened.");
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

/** The state of a campaign's files. `code` is why they cannot be sent, or not yet. */
type FilesState = { kind: "ready" } | { kind: "waiting"; code: string } | { kind: "failed"; code: string };

/** Uploads the files after all are stored. A file that is deleted or was never received cannot be sent. */
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
    // The leases refuse a failed connection and pause the campaign at once.
    if (notice.status !== "active") return { kind: "ready" };
  }
  return { kind: kind === "refused" ? "failed" : "waiting", code: error.code };
}

/**
 * Uploads a running campaign's files once, before the first send; true if the campaign may send. An unusable file fails the
 * campaign; temporary errors are retried until the campaign pauses.
 */
export async function uploadCampaignFiles(
  ctx: Ctx,
  { id, connection_id, request, started_at }: CampaignState,
): Promise<boolean> {
  const ids = [...new Set(sentFileIds(request))];
  if (ids.length === 0) return true;
  const state = await uploadFiles(ctx, connection_id, ids);
  switch (state.kind) {
    case "ready":
      return true;
    case "failed":
      await failRunningCampaign(ctx, id, state.code);
      return false;
    case "waiting": {
      const age = ctx.now() - (started_at ?? ctx.now());
      // Later retries come from the sweep every minute.
      if (age < MINUTE_MS) await enqueueAdvance(ctx, id, RETRY_MS);
      if (age >= MAX_WAIT_MS) await pauseRunningCampaign(ctx, id, state.code);
      return false;
    }
  }
}
