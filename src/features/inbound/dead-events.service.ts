import type { BaseCtx, Ctx } from "../../shared/context.ts";
import { DAY_MS } from "../../shared/time/durations.ts";
import { AppError, notFound } from "../../shared/errors.ts";
import { log } from "../../shared/logger.ts";
import {
  deleteDeadEventInBucket,
  findDeadEventInBucket,
  listBucketIds,
  putDeadEvent,
  putPoisonMessage,
  timeOfBucketId,
} from "./dead-event-bucket.ts";
import {
  type DeadEvent,
  type DeadEventPosition,
  deleteDeadEventRow,
  deleteDeadEventsBefore,
  findDeadEventRow,
  insertDeadEvent,
  listDeadEventRows,
  type NewDeadEvent,
} from "./dead-events.sql.ts";

/** How long the database keeps dead events. The bucket keeps them until they are replayed. */
const KEPT_MS = 30 * DAY_MS;

const newDeadEvent = (payload: unknown, createdAt: number): NewDeadEvent => ({
  queue: "events",
  reason: "The event failed at every attempt.",
  payload,
  createdAt,
});

/** Stores a repeatedly failing event in the database; `at` is when it was queued. */
export const storeDeadEvent = (ctx: Ctx, payload: unknown, at: number): Promise<void> =>
  insertDeadEvent(ctx, newDeadEvent(payload, at));

/** Like `storeDeadEvent`, but uses the bucket if the database fails. */
export async function storeDeadEventWithFallback(ctx: Ctx, payload: unknown, at: number): Promise<void> {
  try {
    await storeDeadEvent(ctx, payload, at);
  } catch (error) {
    log.error("dead_event_stored_in_bucket", { requestId: ctx.requestId, workspaceId: ctx.workspace.id, error });
    await putDeadEvent(ctx, newDeadEvent(payload, at));
  }
}

/** Stores a message without a valid workspace in the bucket, for the operator. */
export async function storePoisonMessage(base: BaseCtx, body: unknown, at: number): Promise<void> {
  const key = await putPoisonMessage(base, { queue: "events", body, at });
  log.error("poison_message_stored", { requestId: base.requestId, key });
}

/** Within a millisecond, events in the database precede those in the bucket. */
async function listBucketIdsAfter(ctx: Ctx, count: number, after: DeadEventPosition | undefined): Promise<string[]> {
  const [createdAt, id = ""] = after ?? [];
  try {
    return await listBucketIds(ctx, count, timeOfBucketId(id) === null ? createdAt : id);
  } catch (error) {
    log.error("dead_events_not_listed", { requestId: ctx.requestId, error });
    throw new AppError("unavailable", "The bucket with dead events does not respond. Try again shortly.", null, 5);
  }
}

async function loadFromBucket(ctx: Ctx, id: string, createdAt: number): Promise<DeadEvent> {
  const found = await findDeadEventInBucket(ctx, id);
  return found ?? { id, queue: "events", reason: "The event was just replayed.", payload: null, createdAt };
}

/** From the database and the bucket, newest first; one beyond `limit` if there are more. */
export async function listDeadEvents(
  ctx: Ctx,
  limit: number,
  after: DeadEventPosition | undefined,
): Promise<DeadEvent[]> {
  const isInBucket = after !== undefined && timeOfBucketId(after[1]) !== null;
  const [rows, ids] = await Promise.all([
    listDeadEventRows(ctx, limit, isInBucket ? [after[0], ""] : after),
    listBucketIdsAfter(ctx, limit + 1, after),
  ]);
  const stored = rows.map((row) => ({ at: row.createdAt, load: () => Promise.resolve(row) }));
  const inBucket = ids.map((id) => {
    const at = timeOfBucketId(id) ?? 0;
    return { at, load: () => loadFromBucket(ctx, id, at) };
  });
  const latest = [...stored, ...inBucket].toSorted((a, b) => b.at - a.at).slice(0, limit + 1);
  return Promise.all(latest.map(({ load }) => load()));
}

const isObjectPayload = (payload: unknown): payload is object => typeof payload === "object" && payload !== null;

/** Queues a dead event again; if it fails again, it is listed again. Throws `not_found`. */
export async function replayDeadEvent(ctx: Ctx, id: string): Promise<DeadEvent> {
  const isInBucket = timeOfBucketId(id) !== null;
  const event = await (isInBucket ? findDeadEventInBucket(ctx, id) : findDeadEventRow(ctx, id));
  if (event === null || !isObjectPayload(event.payload)) throw notFound("dead event");
  // Queued before it is deleted. If the deletion fails, another replay is harmless, because events may be applied twice.
  await ctx.queues.events([event.payload]);
  await (isInBucket ? deleteDeadEventInBucket(ctx, id) : deleteDeadEventRow(ctx, id));
  return event;
}

export const deleteOldDeadEvents = (base: BaseCtx, shard: number): Promise<void> =>
  deleteDeadEventsBefore(base.shard(shard), base.now() - KEPT_MS);
