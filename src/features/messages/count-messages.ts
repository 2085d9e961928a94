import * as z from "zod";
import type { Ctx } from "../../shared/context.ts";
import { DAY_MS } from "../../shared/durations.ts";
import { answerInTurn } from "../scans/scans.service.ts";
import { countByDay, messageGroup } from "./count-messages.sql.ts";
import { type MessageDelivery, toDelivery } from "./messages.states.ts";

/** No more rows are read, so that a count holds up others no longer in the largest workspace. */
const MOST = 5000;

export interface DayOfMessages {
  /** Its beginning (UTC), in ms since the epoch. */
  at: number;
  /** Messages of contacts are `received`; the others count by their delivery. */
  counts: Record<MessageDelivery | "received", number>;
}

const none = {
  received: 0,
  read: 0,
  delivered: 0,
  sent: 0,
  scheduled: 0,
  queued: 0,
  unknown: 0,
  failed: 0,
  cancelled: 0,
};

/**
 * Counts the messages of the last `days` days, the first day first, without those of campaigns, which have tallies. Some seconds
 * old where the same was asked before; throws as `answerInTurn`. Of more than `most` messages the latest are counted:
 * `completeFrom` is the beginning of the first day that is counted whole.
 */
export async function countMessages(
  ctx: Ctx,
  days: number,
  most = MOST,
): Promise<{ days: DayOfMessages[]; completeFrom: number }> {
  const first = Math.floor(ctx.now() / DAY_MS) - days + 1;
  const since = first * DAY_MS;
  const firstId = ctx.newId("msg", since).slice(0, "msg_".length + 10); // an id begins with its time
  const question = { asked: ["messages", days, most], shape: z.array(messageGroup), keptFrom: 1 };
  const groups = await answerInTurn(ctx, question, async (turn) => {
    const counted = await turn.read(() => countByDay(ctx, since, firstId, most));
    return counted.groups;
  });
  const counted = Array.from({ length: days }, (_, n) => ({ at: (first + n) * DAY_MS, counts: { ...none } }));
  for (const { day, from_contact, state, count } of groups) {
    const counts = day === null ? undefined : counted[day - first]?.counts;
    if (counts !== undefined) counts[from_contact === 1 ? "received" : toDelivery(state ?? 0)] += count;
  }
  const isCut = groups.reduce((sum, { count }) => sum + count, 0) >= most;
  const reached = Math.min(...groups.map((group) => group.reached));
  return { days: counted, completeFrom: isCut ? (Math.floor(reached / DAY_MS) + 1) * DAY_MS : since };
}
