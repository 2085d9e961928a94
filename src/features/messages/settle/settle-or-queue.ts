import * as z from "zod";
import type { Ctx } from "../../../shared/context.ts";
import { log } from "../../../shared/logger.ts";
import { settle } from "../deliver/claim.sql.ts";
import { pointToConversations } from "../deliver/queue-threads.ts";
import { type Attempted, settlementsOf } from "./settle-messages.ts";

/** After the first try: storage that is locked or restarts is mostly back within seconds. */
const WAITS_MS = [500, 1500, 3000];
/** A queue message may hold 128 KB, with what surrounds it. */
const MAX_BYTES = 100_000;

const outcomeKind = z.object({ kind: z.enum(["accepted", "refused", "retry", "lost", "held", "skipped"]) });

const attempted = z.object({
  id: z.string(),
  attempts: z.number(),
  contactSeq: z.number(),
  connectionId: z.string(),
  campaign: z.boolean(),
  /** As the channel gave it: whatever else an outcome comes to hold travels along. */
  outcome: z.custom<Attempted["outcome"]>((value) => outcomeKind.safeParse(value).success),
  sent: z.object({ address: z.string(), body: z.string(), templateForm: z.string().nullable() }).exactOptional(),
}) satisfies z.ZodType<Attempted>;

/** What calls to a provider came to at `at` (ms since the epoch), on the events queue because storage did not take it. */
export const lateSettlement = z.object({ at: z.number(), attempted: z.array(attempted) });

const encoder = new TextEncoder();
const bytesOf = (value: object): number => encoder.encode(JSON.stringify(value)).length;

/** What was sent is of use, what became of it must be kept: a form that no queue message holds is left out. */
const fitting = (each: Attempted): Attempted =>
  each.sent === undefined || bytesOf(each) <= MAX_BYTES
    ? each
    : { ...each, sent: { ...each.sent, templateForm: null } };

/** In parts that each fit into one queue message. */
function splitForQueue(all: readonly Attempted[]): Attempted[][] {
  const parts: Attempted[][] = [];
  let room = 0;
  for (const each of all.map(fitting)) {
    const bytes = bytesOf(each) + 1;
    if (bytes > room) {
      parts.push([]);
      room = MAX_BYTES;
    }
    parts.at(-1)?.push(each);
    room -= bytes;
  }
  return parts;
}

/** Throws where the queue does not take all of it: what it took is settled from there, and settling twice changes nothing. */
async function enqueue(ctx: Ctx, connectionId: string, all: readonly Attempted[], at: number): Promise<void> {
  const { workspace } = ctx;
  await ctx.queues.events(
    splitForQueue(all).map((part) => ({ v: 1, workspace, connectionId, settlement: { at, attempted: part } })),
  );
}

interface Settling<T> {
  connectionId: string;
  attempted: readonly Attempted[];
  /** Stores it; called again where it failed, also where that was after the commit. */
  store: () => Promise<T>;
  /** No wait begins from then on, in ms since the epoch. */
  until?: number;
}

/**
 * Stores what calls to a provider came to: tries a few times, then leaves it to the queue, so that nothing a provider answered
 * is thrown away. Null where the queue has it. Throws only where neither took it: the sweep then makes the claims `unknown`.
 */
export async function settleOrQueue<T>(
  ctx: Ctx,
  { connectionId, attempted: all, store, until = Infinity }: Settling<T>,
): Promise<{ stored: T } | null> {
  const at = ctx.now();
  for (const waitMs of [...WAITS_MS, null]) {
    try {
      return { stored: await store() };
    } catch (error) {
      log.error("settlement_failed", { requestId: ctx.requestId, connectionId, count: all.length, error });
    }
    if (waitMs === null || ctx.now() + waitMs > until) break;
    await ctx.wait(waitMs);
  }
  await enqueue(ctx, connectionId, all, at);
  return null;
}

/** Settles what the queue had to keep, as of the time it happened; conversations of direct messages go on. */
export async function settleLate(ctx: Ctx, { at, attempted: all }: z.infer<typeof lateSettlement>): Promise<void> {
  const { statements, retryAts } = settlementsOf({ ...ctx, now: () => at }, all);
  await settle(ctx, statements);
  for (const [index, { campaign, contactSeq, connectionId }] of all.entries()) {
    // The sweep looks after campaigns.
    if (campaign) continue;
    await pointToConversations(ctx, [{ contactSeq, connectionId }], Math.max(0, (retryAts[index] ?? 0) - ctx.now()));
  }
}
