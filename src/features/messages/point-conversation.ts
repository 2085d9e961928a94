import type { Ctx } from "../../shared/context.ts";
import { HOUR_MS } from "../../shared/durations.ts";
import { log } from "../../shared/logger.ts";
import type { Line } from "./deliver-messages.repository.ts";
import { pointerTo } from "./messages.schemas.ts";

/** Queues delay no further. What is due later is found by the sweep. */
const MAX_DELAY_MS = 12 * HOUR_MS;

/** Has the queue look at a conversation in `delayMs`. A pointer that the queue does not take is left to the sweep. */
export async function pointToConversation(ctx: Ctx, line: Line, delayMs: number): Promise<void> {
  try {
    await ctx.queues.direct([pointerTo(ctx.workspace, line)], { delayMs: Math.min(delayMs, MAX_DELAY_MS) });
  } catch (cause) {
    log.error("pointer_not_queued", { ...line, error: cause });
  }
}
