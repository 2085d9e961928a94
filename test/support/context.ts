import { createBaseCtx } from "../../src/entrypoints/base-context.ts";
import { type Ctx, forWorkspace } from "../../src/shared/context.ts";
import type { Customer } from "./world.ts";

export async function contextOf({ world, workspaceId }: Customer): Promise<Ctx> {
  const waitUntil = (work: Promise<unknown>) => void work;
  const base = createBaseCtx(world.env, { requestId: "test", actor: { type: "system" }, waitUntil });
  const workspace = await world.env.DB.prepare("SELECT id, number, shard FROM workspaces WHERE id = ?")
    .bind(workspaceId)
    .first<Ctx["workspace"]>();
  if (workspace === null) throw new Error("There is no such workspace.");
  return forWorkspace(base, workspace);
}
