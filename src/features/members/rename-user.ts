import type { BaseCtx } from "../../shared/context.ts";
import { renameMember } from "./member-names.sql.ts";
import type { Session } from "./members.schemas.ts";
import { updateUserName } from "./users.sql.ts";

/** Changes the name that colleagues see of a person, in all of their workspaces, also beside what is theirs already. */
export async function renameUser(ctx: BaseCtx, { user, memberships }: Session, name: string): Promise<void> {
  await updateUserName(ctx, user.id, name);
  const byShard = Map.groupBy(memberships, ({ shard }) => shard);
  await Promise.all(
    Array.from(byShard, ([shard, own]) => {
      const workspaceIds = own.map(({ id }) => id);
      return renameMember(ctx.shard(shard), workspaceIds, { id: user.id, name });
    }),
  );
}
