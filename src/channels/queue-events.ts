import type { BaseCtx } from "../shared/context.ts";
import { packByBytes } from "../shared/chunks.ts";
import { jsonBytes } from "../shared/text/text.ts";
import type { WorkspaceRef } from "../shared/access/workspace.ts";
import type { ChannelEvent, StatusEvent } from "./channel-events.ts";

const MAX_STATUSES = 100;
/**
 * Queues bill one operation per 64 KB. This limit leaves room for the other fields of the queue message, so that a
 * bundle costs one operation.
 */
const MAX_BYTES = 60_000;

export const bundleStatuses = (statuses: readonly StatusEvent[]): StatusEvent[][] =>
  packByBytes(statuses, {
    maxItems: MAX_STATUSES,
    maxBytes: MAX_BYTES,
    bytesOf: (status) => jsonBytes(status) + 1,
  });

/**
 * Statuses have their own queue, and one queue message contains many statuses. Every other event gets a queue message
 * of its own, so that an event that fails does not delay the others.
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
