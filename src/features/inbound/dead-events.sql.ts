import { and, desc, eq, lt, sql } from "drizzle-orm";
import { deleteInChunks } from "../../db/delete-in-chunks.ts";
import { deadLetters } from "../../db/schema/index.ts";
import type { Ctx, Database } from "../../shared/context.ts";
import { sha256Hex } from "../../shared/security/crypto.ts";

/** A queue message that failed on every attempt. */
export type DeadEvent = Omit<typeof deadLetters.$inferSelect, "workspaceId">;

export type NewDeadEvent = Omit<DeadEvent, "id">;

/** After the event with this time and id. */
export type DeadEventPosition = readonly [createdAt: number, id: string];

/** The id is a hash of the event, so that an event is stored once. */
export async function insertDeadEvent(ctx: Ctx, event: NewDeadEvent): Promise<void> {
  const id = await sha256Hex(JSON.stringify([ctx.workspace.id, event.queue, event.payload]));
  const row = { id, workspaceId: ctx.workspace.id, ...event };
  await ctx.db.insert(deadLetters).values(row).onConflictDoNothing();
}

/** Newest first, one row beyond `limit`. */
export function listDeadEventRows(ctx: Ctx, limit: number, after: DeadEventPosition | undefined): Promise<DeadEvent[]> {
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

export async function findDeadEventRow(ctx: Ctx, id: string): Promise<DeadEvent | null> {
  const [row] = await ctx.db.select().from(deadLetters).where(hasId(ctx, id));
  return row ?? null;
}

export async function deleteDeadEventRow(ctx: Ctx, id: string): Promise<void> {
  await ctx.db.delete(deadLetters).where(hasId(ctx, id));
}

export const deleteDeadEventsBefore = (db: Database, before: number): Promise<void> =>
  deleteInChunks(db, deadLetters, lt(deadLetters.createdAt, before));
