import * as z from "zod";
import type { BaseCtx, Ctx } from "../../shared/context.ts";
import { sha256Hex } from "../../shared/security/crypto.ts";
import { fromJson } from "../../shared/text/json.ts";
import type { DeadEvent, NewDeadEvent } from "./dead-events.sql.ts";

/** Objects in these two folders never expire. */
const DEAD = "dead/";
const POISON = "poison/";

/** Keys are listed in ascending order and begin with a countdown from this time, so the latest event comes first. */
const LATEST_MS = 10 ** 15 - 1;

const countdown = (at: number): string => String(LATEST_MS - at).padStart(15, "0");

/** The key after the workspace: `<countdown>-<hash>`. Ids of dead events in the database never have this form. */
const BUCKET_ID = /^(?<countdown>\d{15})-[0-9a-f]{64}$/;

const folderOf = (ctx: Ctx): string => `${DEAD}${ctx.workspace.id}/`;

/** The time of the event with this id, or null if the id is not a bucket id. */
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

/** The key consists of time and content, so that an event is stored once. */
export async function putDeadEvent(ctx: Ctx, event: NewDeadEvent): Promise<void> {
  const hash = await sha256Hex(JSON.stringify([event.queue, event.payload]));
  await putJson(ctx, `${folderOf(ctx)}${countdown(event.createdAt)}-${hash}`, event);
}

/** Stores a queue message without a valid workspace and returns its key. */
export async function putPoisonMessage(
  ctx: BaseCtx,
  { queue, body, at }: { queue: string; body: unknown; at: number },
): Promise<string> {
  const key = `${POISON}${queue}/${countdown(at)}-${await sha256Hex(JSON.stringify(body) ?? "")}`;
  await putJson(ctx, key, { queue, receivedAt: new Date(at).toISOString(), body });
  return key;
}

/** At most `count` ids, latest first: after the id `after`, or of events up to the time `after`. */
export async function listBucketIds(ctx: Ctx, count: number, after: string | number | undefined): Promise<string[]> {
  const folder = folderOf(ctx);
  // A time alone sorts just before the ids that begin with it.
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

export async function findDeadEventInBucket(ctx: Ctx, id: string): Promise<DeadEvent | null> {
  const object = BUCKET_ID.test(id) ? await ctx.bucket.get(folderOf(ctx) + id) : null;
  return object === null ? null : { id, ...storedEvent.parse(await object.text()) };
}

export const deleteDeadEventInBucket = (ctx: Ctx, id: string): Promise<void> => ctx.bucket.delete(folderOf(ctx) + id);
