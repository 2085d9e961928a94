import * as z from "zod";
import { type Ctx, MAX_QUEUE_DELAY_MS } from "../../../shared/context.ts";
import { log } from "../../../shared/logger.ts";
import type { ThreadKey } from "../../../shared/thread-jobs.ts";
import { workspaceRef } from "../../../shared/access/workspace.ts";

export const fetchMediaJob = z.object({
  v: z.literal(1),
  workspace: workspaceRef,
  mediaId: z.string(),
  thread: z.object({ contactSeq: z.number(), connectionId: z.string() }).nullable(),
});

export type FetchMediaJob = z.infer<typeof fetchMediaJob>;

export async function enqueueMediaFetch(
  ctx: Ctx,
  files: readonly { mediaId: string; thread?: ThreadKey | null }[],
  delayMs = 0,
): Promise<void> {
  if (files.length === 0) return;
  const jobs = files.map(({ mediaId, thread = null }): FetchMediaJob => ({
    v: 1,
    workspace: ctx.workspace,
    mediaId,
    thread,
  }));
  try {
    await ctx.queues.media(jobs, { delayMs: Math.min(delayMs, MAX_QUEUE_DELAY_MS) });
  } catch (error) {
    log.error("media_not_queued", { requestId: ctx.requestId, count: files.length, error });
  }
}
