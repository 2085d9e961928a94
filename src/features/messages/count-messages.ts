import * as z from "zod";
import type { Ctx } from "../../shared/context.ts";
import { DAY_MS } from "../../shared/durations.ts";
import { answerInTurn } from "../scans/scans.service.ts";
import { countByDay } from "./count-messages.sql.ts";
import { type Delivery, deliveryOf } from "./messages.states.ts";

/** How many messages are looked at, so that a look at them costs no more in the largest workspace: others wait for it. */
const MOST = 5000;

const group = z.object({
  day: z.number().nullable(),
  from_contact: z.number().nullable(),
  state: z.number().nullable(),
  count: z.number(),
  reached: z.number(),
});

export interface DayOfMessages {
  /** Its beginning (UTC), in ms since the epoch. */
  at: number;
  /** By how far they have come; what contacts wrote is `received`. */
  counts: Record<Delivery | "received", number>;
}

const none = { received: 0, read: 0, delivered: 0, sent: 0, queued: 0, unknown: 0, failed: 0 };

/**
 * Counts the messages of the last `days` days, the first day first; campaigns', which keep tallies, are not among them.
 * Some seconds old where somebody has just asked; throws as `answerInTurn`. `completeFrom` is when the first day begins that is counted whole: of more than `most` messages the latest are counted.
 */
export async function countMessages(
  ctx: Ctx,
  days: number,
  most = MOST,
): Promise<{ days: DayOfMessages[]; completeFrom: number }> {
  const first = Math.floor(ctx.now() / DAY_MS) - days + 1;
  const since = first * DAY_MS;
  const firstId = ctx.newId("msg", since).slice(0, "msg_".length + 10); // an id begins with its time
  const question = { asked: ["messages", days, most], shape: z.array(group), keptFrom: 1 };
  const groups = await answerInTurn(ctx, question, async (turn) => {
    const read = await turn.read(() => countByDay(ctx, since, firstId, most));
    return question.shape.parse(read.groups);
  });
  const counted = Array.from({ length: days }, (_, n) => ({ at: (first + n) * DAY_MS, counts: { ...none } }));
  for (const { day, from_contact, state, count } of groups) {
    const counts = day === null ? undefined : counted[day - first]?.counts;
    if (counts !== undefined) counts[from_contact === 1 ? "received" : deliveryOf(state ?? 0)] += count;
  }
  const isCut = groups.reduce((sum, { count }) => sum + count, 0) >= most;
  const reached = Math.min(...groups.map((each) => each.reached));
  return { days: counted, completeFrom: isCut ? (Math.floor(reached / DAY_MS) + 1) * DAY_MS : since };
}
