import { deadLetters } from "../../db/schema/index.ts";
import type { Ctx } from "../../shared/context.ts";
import { sha256Hex } from "../../shared/crypto.ts";

/** The same letter is kept once. */
export async function insertDeadLetter(
  ctx: Ctx,
  letter: { queue: string; reason: string; payload: unknown },
): Promise<void> {
  const id = await sha256Hex(JSON.stringify([ctx.workspace.id, letter.queue, letter.payload]));
  const row = { id, workspaceId: ctx.workspace.id, createdAt: ctx.now(), ...letter };
  await ctx.db.insert(deadLetters).values(row).onConflictDoNothing();
}
