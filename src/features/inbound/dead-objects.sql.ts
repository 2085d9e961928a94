import * as z from "zod";
import type { BaseCtx, Ctx } from "../../shared/context.ts";
import { sha256Hex } from "../../shared/crypto.ts";
import { fromJson } from "../../shared/json.ts";
import type { DeadLetter, NewDeadLetter } from "./inbound.sql.ts";

/** No retention touches these two. */
const DEAD = "dead/";
const POISON = "poison/";

/** Keys are listed in ascending order, so the time counts down: the latest comes first. */
const LATEST = 10 ** 15 - 1;

const countdown = (at: number): string => String(LATEST - at).padStart(15, "0");

/** An id is the part of the key behind the workspace; one of a letter in the database never looks like it. */
const ID = /^(?<countdown>\d{15})-[0-9a-f]{64}$/;

const folderOf = (ctx: Ctx): string => `${DEAD}${ctx.workspace.id}/`;

/** When the letter of this id was made, or null where it is no id of an object. */
export function timeOfObject(id: string): number | null {
  const found = ID.exec(id)?.groups?.["countdown"];
  return found === undefined ? null : LATEST - Number(found);
}

const letter = fromJson(
  z.object({ queue: z.string(), reason: z.string(), payload: z.unknown(), createdAt: z.number() }),
);

const put = async (ctx: BaseCtx, key: string, value: object): Promise<void> => {
  await ctx.bucket.put(key, JSON.stringify(value), { httpMetadata: { contentType: "application/json" } });
};

/** The same letter of the same time is kept once. */
export async function putDeadLetter(ctx: Ctx, fresh: NewDeadLetter): Promise<void> {
  const hash = await sha256Hex(JSON.stringify([fresh.queue, fresh.payload]));
  await put(ctx, `${folderOf(ctx)}${countdown(fresh.createdAt)}-${hash}`, fresh);
}

/** Keeps a queue message that names no workspace; gives where. */
export async function putPoison(
  ctx: BaseCtx,
  { queue, body, at }: { queue: string; body: unknown; at: number },
): Promise<string> {
  const key = `${POISON}${queue}/${countdown(at)}-${await sha256Hex(JSON.stringify(body) ?? "")}`;
  await put(ctx, key, { queue, receivedAt: new Date(at).toISOString(), body });
  return key;
}

/** Ids of at most `count` letters, latest first: those behind the letter `after`, or all that are no later than it. */
export async function listObjectIds(ctx: Ctx, count: number, after: string | number | undefined): Promise<string[]> {
  const folder = folderOf(ctx);
  // A time alone comes just before the ids that begin with it.
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

export async function findDeadObject(ctx: Ctx, id: string): Promise<DeadLetter | null> {
  const object = ID.test(id) ? await ctx.bucket.get(folderOf(ctx) + id) : null;
  return object === null ? null : { id, ...letter.parse(await object.text()) };
}

export const deleteDeadObject = (ctx: Ctx, id: string): Promise<void> => ctx.bucket.delete(folderOf(ctx) + id);
