import type { BaseCtx, Ctx } from "../../shared/context.ts";
import { DAY_MS } from "../../shared/durations.ts";
import { AppError, notFound } from "../../shared/errors.ts";
import { log } from "../../shared/logger.ts";
import * as objects from "./dead-objects.sql.ts";
import * as rows from "./inbound.sql.ts";
import type { DeadLetter, NewDeadLetter } from "./inbound.sql.ts";

/** How long dead events stay in the database. Those in the bucket stay until they are replayed. */
const KEPT_MS = 30 * DAY_MS;

const letterOf = (payload: unknown, createdAt: number): NewDeadLetter => ({
  queue: "events",
  reason: "The event failed every time it was tried.",
  payload,
  createdAt,
});

/** Keeps an event that was retried in vain since `at`. */
export const storeDeadEvent = (ctx: Ctx, payload: unknown, at: number): Promise<void> =>
  rows.insertDeadLetter(ctx, letterOf(payload, at));

/** As `storeDeadEvent`, in the bucket where the database does not take it. */
export async function storeDeadEventAnywhere(ctx: Ctx, payload: unknown, at: number): Promise<void> {
  try {
    await storeDeadEvent(ctx, payload, at);
  } catch (error) {
    log.error("dead_event_stored_in_bucket", { requestId: ctx.requestId, workspaceId: ctx.workspace.id, error });
    await objects.putDeadLetter(ctx, letterOf(payload, at));
  }
}

/** Keeps a message that names no workspace, for whoever reads the bucket. */
export async function storePoison(base: BaseCtx, body: unknown, at: number): Promise<void> {
  const key = await objects.putPoison(base, { queue: "events", body, at });
  log.error("poison_message_stored", { requestId: base.requestId, key });
}

/** Where a page of dead events begins: behind the one of this time and id. */
export type DeadEventPosition = readonly [createdAt: number, id: string];

/** Rows come before objects of the same millisecond. */
async function idsOfObjects(ctx: Ctx, count: number, after: DeadEventPosition | undefined): Promise<string[]> {
  const [createdAt, id = ""] = after ?? [];
  try {
    return await objects.listObjectIds(ctx, count, objects.timeOfObject(id) === null ? createdAt : id);
  } catch (error) {
    log.error("dead_objects_not_listed", { requestId: ctx.requestId, error });
    throw new AppError("unavailable", "The bucket with dead events does not answer. Try again shortly.", null, 5);
  }
}

async function findObject(ctx: Ctx, id: string, createdAt: number): Promise<DeadLetter> {
  const found = await objects.findDeadObject(ctx, id);
  return found ?? { id, queue: "events", reason: "It has been replayed just now.", payload: null, createdAt };
}

/** Of the database and of the bucket, newest first, one beyond `limit` where there are more. */
export async function listDeadEvents(
  ctx: Ctx,
  limit: number,
  after: DeadEventPosition | undefined,
): Promise<DeadLetter[]> {
  const isObject = after !== undefined && objects.timeOfObject(after[1]) !== null;
  const [letters, ids] = await Promise.all([
    rows.listDeadLetters(ctx, limit, isObject ? [after[0], ""] : after),
    idsOfObjects(ctx, limit + 1, after),
  ]);
  const stored = letters.map((letter) => ({ at: letter.createdAt, load: () => Promise.resolve(letter) }));
  const kept = ids.map((id) => {
    const at = objects.timeOfObject(id) ?? 0;
    return { at, load: () => findObject(ctx, id, at) };
  });
  const latest = [...stored, ...kept].toSorted((a, b) => b.at - a.at).slice(0, limit + 1);
  return Promise.all(latest.map(({ load }) => load()));
}

const isObjectPayload = (payload: unknown): payload is object => typeof payload === "object" && payload !== null;

/** Has a dead event tried anew; if it fails again it comes back. Throws `not_found`. */
export async function replayDeadEvent(ctx: Ctx, id: string): Promise<DeadLetter> {
  const inBucket = objects.timeOfObject(id) !== null;
  const letter = await (inBucket ? objects.findDeadObject(ctx, id) : rows.findDeadLetter(ctx, id));
  if (letter === null || !isObjectPayload(letter.payload)) throw notFound("dead event");
  // Events are idempotent: were the letter to stay because deleting fails, another replay would do no harm.
  await ctx.queues.events([letter.payload]);
  await (inBucket ? objects.deleteDeadObject(ctx, id) : rows.deleteDeadLetter(ctx, id));
  return letter;
}

/** Deletes what has been kept long enough. */
export const deleteOldDeadEvents = (base: BaseCtx, shard: number): Promise<void> =>
  rows.deleteOldDeadLetters(base.shard(shard), base.now() - KEPT_MS);
