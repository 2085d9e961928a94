import type { BaseCtx } from "../shared/context.ts";
import { packByBytes } from "../shared/chunks.ts";
import { jsonBytes } from "../shared/text/text.ts";
import type { WorkspaceRef } from "../shared/access/workspace.ts";
import type { ChannelEvent, StatusEvent } from "./channel-events.ts";

/** The maximum number of statuses in a bundle. A full bundle takes as much work as a full batch of single statuses. */
const MAX_STATUSES = 100;
/** The maximum size of a bundle in bytes. Queues bill one operation per 64 KB, which include the envelope. */
const MAX_BYTES = 60_000;

export const bundleStatuses = (statuses: readonly StatusEvent[]): StatusEvent[][] =>
  packByBytes(statuses, {
    maxItems: MAX_STATUSES,
    maxBytes: MAX_BYTES,
    bytesOf: (status) => jsonBytes(status) + 1,
  });

/**
 * Bundles of statuses have their own queue. Each other event is one queue message, so that a failing event does not
 * delay others.
 */
export async function queueEvents(
  { queues }: Pick<BaseCtx, "queues">,
  source: { workspace: WorkspaceRef; connectionId: string },
  events: readonly ChannelEvent[],
  options?: { delayMs: number },
): Promise<void> {
  const statuses = events.filter((event) => event.type === "status");
  const others = events.filter((event) => event.type !== "status");
  await Promise.all([
    queues.events(
      others.map((event) => ({ v: 1, ...source, event })),
      options,
    ),
    queues.statuses(
      bundleStatuses(statuses).map((some) => ({ v: 1, ...source, events: some })),
      options,
    ),
  ]);
}
