import { deadLetters } from "../../db/schema/index.ts";
import type { Ctx } from "../../shared/context.ts";

export async function insertDeadLetter(
  ctx: Ctx,
  letter: { queue: string; reason: string; payload: unknown },
): Promise<void> {
  await ctx.db.insert(deadLetters).values({
    id: crypto.randomUUID(),
    workspaceId: ctx.workspace.id,
    createdAt: ctx.now(),
    ...letter,
  });
}
