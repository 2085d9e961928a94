import type { Ctx } from "../../../shared/context.ts";
import { HOUR_MS } from "../../../shared/durations.ts";
import { log } from "../../../shared/logger.ts";
import type { Line } from "./claim.sql.ts";
import { pointerTo } from "../messages.schemas.ts";

/** Queues delay no further. What is due later is found by the sweep. */
const MAX_DELAY_MS = 12 * HOUR_MS;

/** Has the queue look at conversations in `delayMs`. Pointers that the queue does not take are left to the sweep. */
export async function pointToConversations(ctx: Ctx, lines: Line[], delayMs: number): Promise<void> {
  const pointers = lines.map((line) => pointerTo(ctx.workspace, line));
  try {
    await ctx.queues.direct(pointers, { delayMs: Math.min(delayMs, MAX_DELAY_MS) });
  } catch (error) {
    for (const line of lines) log.error("pointer_not_queued", { ...line, error });
  }
}
