import { and, desc, eq, sql } from "drizzle-orm";
import { deleteInChunks } from "../../db/delete-in-chunks.ts";
import { deadLetters } from "../../db/schema/index.ts";
import type { Ctx, Database } from "../../shared/context.ts";
import { sha256Hex } from "../../shared/crypto.ts";

/** A queue message that could not be worked off. */
export type DeadLetter = Omit<typeof deadLetters.$inferSelect, "workspaceId">;

export type NewDeadLetter = Omit<DeadLetter, "id">;

/** The same letter is kept once. */
export async function insertDeadLetter(ctx: Ctx, letter: NewDeadLetter): Promise<void> {
  const id = await sha256Hex(JSON.stringify([ctx.workspace.id, letter.queue, letter.payload]));
  const row = { id, workspaceId: ctx.workspace.id, ...letter };
  await ctx.db.insert(deadLetters).values(row).onConflictDoNothing();
}

/** Newest first, one row beyond `limit`. */
export function listDeadLetters(
  ctx: Ctx,
  limit: number,
  after: readonly [number, string] | undefined,
): Promise<DeadLetter[]> {
  return ctx.db
    .select()
    .from(deadLetters)
    .where(
      and(
        eq(deadLetters.workspaceId, ctx.workspace.id),
        after === undefined ? undefined : sql`(created_at, id) < (${after[0]}, ${after[1]})`,
      ),
    )
    .orderBy(desc(deadLetters.createdAt), desc(deadLetters.id))
    .limit(limit + 1);
}

const one = (ctx: Ctx, id: string) => and(eq(deadLetters.id, id), eq(deadLetters.workspaceId, ctx.workspace.id));

export async function findDeadLetter(ctx: Ctx, id: string): Promise<DeadLetter | null> {
  const [row] = await ctx.db.select().from(deadLetters).where(one(ctx, id));
  return row ?? null;
}

export async function deleteDeadLetter(ctx: Ctx, id: string): Promise<void> {
  await ctx.db.delete(deadLetters).where(one(ctx, id));
}

export const deleteOldDeadLetters = (db: Database, before: number): Promise<void> =>
  deleteInChunks(db, { table: "dead_letters", key: "id", condition: sql`created_at < ${before}` });
