import { eq } from "drizzle-orm";
import { users } from "../../db/schema/index.ts";
import type { BaseCtx } from "../../shared/context.ts";
import type { Session } from "./members.schemas.ts";

/** Changes the name that colleagues see of a person, in all of their workspaces. */
export async function renameUser(ctx: BaseCtx, { user }: Session, name: string): Promise<void> {
  await ctx.control
    .update(users)
    .set({ name, updatedAt: new Date(ctx.now()) })
    .where(eq(users.id, user.id));
}
