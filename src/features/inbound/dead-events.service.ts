// A dead event is a queue message that failed at every attempt. It is stored in the database, or in the bucket if the
// database fails too.
import { and, desc, eq, lt, sql } from "drizzle-orm";
import * as z from "zod";
import { deleteInChunks } from "../../db/delete-in-chunks.ts";
import { deadLetters } from "../../db/schema/index.ts";
import type { BaseCtx, Ctx } from "../../shared/context.ts";
import { AppError, notFound } from "../../shared/errors.ts";
import { log } from "../../shared/logger.ts";
import { sha256Hex } from "../../shared/security/crypto.ts";
import { fromJson } from "../../shared/text/json.ts";
import { DAY_MS } from "../../shared/time/durations.ts";

export type DeadEvent = Omit<typeof deadLetters.$inferSelect, "workspaceId">;

type NewDeadEvent = Omit<DeadEvent, "id">;

type DeadEventPosition = readonly [createdAt: number, id: string];

/** The id is a hash of the event, so that an event that fails again is not stored twice. */
async function insertDeadEvent(ctx: Ctx, event: NewDeadEvent): Promise<void> {
  const id = await sha256Hex(JSON.stringify([ctx.workspace.id, event.queue, event.payload]));
  const row = { id, workspaceId: ctx.workspace.id, ...event };
  await ctx.db.insert(deadLetters).values(row).onConflictDoNothing();
}

/** Newest first. Returns one row beyond `limit` if there are more. */
function listDeadEventRows(ctx: Ctx, limit: number, after: DeadEventPosition | undefined): Promise<DeadEvent[]> {
  return ctx.db
    .select()
    .from(deadLetters)
    .where(
      and(
        eq(deadLetters.workspaceId, ctx.workspace.id),
        after === undefined
          ? undefined
          : sql`(${deadLetters.createdAt}, ${deadLetters.id}) < (${after[0]}, ${after[1]})`,
      ),
    )
    .orderBy(desc(deadLetters.createdAt), desc(deadLetters.id))
    .limit(limit + 1);
}

const hasId = (ctx: Ctx, id: string) => and(eq(deadLetters.id, id), eq(deadLetters.workspaceId, ctx.workspace.id));

async function findDeadEventRow(ctx: Ctx, id: string): Promise<DeadEvent | null> {
  const [row] = await ctx.db.select().from(deadLetters).where(hasId(ctx, id));
  return row ?? null;
}

async function deleteDeadEventRow(ctx: Ctx, id: string): Promise<void> {
  await ctx.db.delete(deadLetters).where(hasId(ctx, id));
}

/** Keys are `dead/<workspace>/<id>`. Objects in this folder and in `poison/` never expire. */
export const DEAD_FOLDER = "dead/";
const POISON = "poison/";

/**
 * An id in the bucket begins with the milliseconds from the event until this time. The bucket lists keys in ascending
 * order, so the latest event comes first.
 */
const LATEST_MS = 10 ** 15 - 1;

const countdown = (at: number): string => String(LATEST_MS - at).padStart(15, "0");

/** An id in the bucket is `<countdown>-<hash>`. Ids of dead events in the database never have this form. */
const BUCKET_ID = /^(?<countdown>\d{15})-[0-9a-f]{64}$/;

const folderOf = (ctx: Ctx): string => `${DEAD_FOLDER}${ctx.workspace.id}/`;

export function timeOfBucketId(id: string): number | null {
  const found = BUCKET_ID.exec(id)?.groups?.["countdown"];
  return found === undefined ? null : LATEST_MS - Number(found);
}

const storedEvent = fromJson(
  z.object({ queue: z.string(), reason: z.string(), payload: z.unknown(), createdAt: z.number() }),
);

const putJson = async (ctx: BaseCtx, key: string, value: object): Promise<void> => {
  await ctx.bucket.put(key, JSON.stringify(value), { httpMetadata: { contentType: "application/json" } });
};

/** The key consists of time and content, so that an event that is stored again gets the same key. */
async function putDeadEvent(ctx: Ctx, event: NewDeadEvent): Promise<void> {
  const hash = await sha256Hex(JSON.stringify([event.queue, event.payload]));
  await putJson(ctx, `${folderOf(ctx)}${countdown(event.createdAt)}-${hash}`, event);
}

async function putPoisonMessage(
  ctx: BaseCtx,
  { queue, body, at }: { queue: string; body: unknown; at: number },
): Promise<string> {
  const key = `${POISON}${queue}/${countdown(at)}-${await sha256Hex(JSON.stringify(body) ?? "")}`;
  await putJson(ctx, key, { queue, receivedAt: new Date(at).toISOString(), body });
  return key;
}

/**
 * Returns at most `count` ids, latest first. If `after` is an id, the list starts with the next older id. If it is a
 * time, the list starts at this time.
 */
async function listBucketIds(ctx: Ctx, count: number, after: string | number | undefined): Promise<string[]> {
  const folder = folderOf(ctx);
  // If `after` is a time, the list includes events of that time, because their keys sort after the countdown alone.
  let last = folder + (typeof after === "number" ? countdown(after) : (after ?? ""));
  const ids: string[] = [];
  let hasMore = true;
  while (hasMore && ids.length < count) {
    const page = await ctx.bucket.list({ prefix: folder, startAfter: last, limit: count - ids.length });
    for (const { key } of page.objects) ids.push(key.slice(folder.length));
    last = page.objects.at(-1)?.key ?? last;
    hasMore = page.truncated;
  }
  return ids;
}

async function findDeadEventInBucket(ctx: Ctx, id: string): Promise<DeadEvent | null> {
  const object = BUCKET_ID.test(id) ? await ctx.bucket.get(folderOf(ctx) + id) : null;
  return object === null ? null : { id, ...storedEvent.parse(await object.text()) };
}

const deleteDeadEventInBucket = (ctx: Ctx, id: string): Promise<void> => ctx.bucket.delete(folderOf(ctx) + id);

/** Dead events in the database are deleted after this time. Those in the bucket remain until they are replayed. */
const KEPT_MS = 30 * DAY_MS;

const newDeadEvent = (payload: unknown, createdAt: number): NewDeadEvent => ({
  queue: "events",
  reason: "The event failed at every attempt.",
  payload,
  createdAt,
});

/** Stores a repeatedly failing event in the database. `at` is the time when the event was queued. */
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

export async function storePoisonMessage(base: BaseCtx, body: unknown, at: number): Promise<void> {
  const key = await putPoisonMessage(base, { queue: "events", body, at });
  log.error("poison_message_stored", { requestId: base.requestId, key });
}

/**
 * If two events have the same time, the database event comes first. After a database event, the bucket is therefore
 * listed from that event's time on, inclusive.
 */
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
  return (
    found ?? { id, queue: "events", reason: "Another request has just replayed this event.", payload: null, createdAt }
  );
}

/** Lists events from the database and the bucket, newest first. Returns one event beyond `limit` if there are more. */
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

/** Queues a dead event again. If it fails at every attempt again, it returns to the list. Throws `not_found`. */
export async function replayDeadEvent(ctx: Ctx, id: string): Promise<DeadEvent> {
  const isInBucket = timeOfBucketId(id) !== null;
  const event = await (isInBucket ? findDeadEventInBucket(ctx, id) : findDeadEventRow(ctx, id));
  if (event === null || !isObjectPayload(event.payload)) throw notFound("dead event");
  // Queues the event first. If the deletion then fails, the event can be replayed twice, which is harmless. In the
  // opposite order, it could be lost.
  await ctx.queues.events([event.payload]);
  await (isInBucket ? deleteDeadEventInBucket(ctx, id) : deleteDeadEventRow(ctx, id));
  return event;
}

export const deleteOldDeadEvents = (base: BaseCtx, shard: number): Promise<void> =>
  deleteInChunks(base.shard(shard), deadLetters, lt(deadLetters.createdAt, base.now() - KEPT_MS));
