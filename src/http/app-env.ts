import type { WorkspaceRef } from "../shared/access/workspace.ts";
import type { Actor, Caller } from "../shared/access/actor.ts";
import type { BaseCtx, Ctx } from "../shared/context.ts";
import type { ErrorCode } from "../shared/errors.ts";

export interface AppEnv {
  Bindings: Env;
  Variables: {
    requestId: string;
    base: BaseCtx;
    ctx: Ctx;
    caller: Caller;
    knownKey?: { keyId: string; workspaceId: string };
    errorCode?: ErrorCode;
    actorIn(workspaceId: string | undefined): Actor;
    findWorkspace(id: string): Promise<WorkspaceRef>;
  };
}
