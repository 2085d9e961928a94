import type { BaseCtx } from "../../shared/context.ts";
import type { Session } from "./members.schemas.ts";
import { updateUserName } from "./users.sql.ts";

/** Changes the name that colleagues see of a person, in all of their workspaces. */
export const renameUser = (ctx: BaseCtx, { user }: Session, name: string): Promise<void> =>
  updateUserName(ctx, user.id, name);
