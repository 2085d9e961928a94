import { type BaseCtx, forWorkspace } from "../../shared/context.ts";
import { fetchMedia } from "./store/fetch-media.ts";
import { fetchMediaJob } from "./store/queue-media.ts";

/** Fetches the file of a queue message, unless another run has fetched it. */
export async function runFetchMediaJob(base: BaseCtx, message: unknown): Promise<void> {
  const { workspace, mediaId, thread } = fetchMediaJob.parse(message);
  await fetchMedia(forWorkspace(base, workspace), { mediaId, thread });
}
