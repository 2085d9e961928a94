import type { BaseCtx } from "../shared/context.ts";
import { packByBytes } from "../shared/chunks.ts";
import { jsonBytes } from "../shared/text/text.ts";
import type { WorkspaceRef } from "../shared/access/workspace.ts";
import type { ChannelEvent, StatusEvent } from "./channel-events.ts";

/** A bundle of 100 statuses takes the consumer as long as a full batch of single statuses. */
const MAX_STATUSES = 100;
/** Queues bill one operation per 64 KB, envelope included. */
const MAX_BYTES = 60_000;

export const bundleStatuses = (statuses: readonly StatusEvent[]): StatusEvent[][] =>
  packByBytes(statuses, {
    maxItems: MAX_STATUSES,
    maxBytes: MAX_BYTES,
    bytesOf: (status) => jsonBytes(status) + 1,
  });

/**
 * Bundles of statuses have their own queue. All other events are queued one by one, so that a failing event
 * does not delay others.
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
