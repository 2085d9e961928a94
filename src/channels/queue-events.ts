import type { BaseCtx } from "../shared/context.ts";
import { packByBytes } from "../shared/chunks.ts";
import { jsonBytes } from "../shared/text/text.ts";
import type { WorkspaceRef } from "../shared/access/workspace.ts";
import type { ChannelEvent, StatusEvent } from "./channel-events.ts";

/**
 * With this limit, the consumer needs no more time for a bundle of statuses than for a full batch of 100 queue
 * messages with one status each.
 */
const MAX_STATUSES = 100;
/** Less than 64 KB with the envelope, because Queues bill one operation per 64 KB. */
const MAX_BYTES = 60_000;

export const bundleStatuses = (statuses: readonly StatusEvent[]): StatusEvent[][] =>
  packByBytes(statuses, {
    maxItems: MAX_STATUSES,
    maxBytes: MAX_BYTES,
    bytesOf: (status) => jsonBytes(status) + 1,
  });

/**
 * Statuses have a queue of their own, where one queue message contains many. Every other event is a separate
 * queue message, so that a failing event does not delay the others.
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
