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
    /** The API key of the request and its workspace. Set before the key is authorized. */
    knownKey?: { keyId: string; workspaceId: string };
    errorCode?: ErrorCode;
    /**
     * Returns the actor in this workspace. Without an id, returns the actor outside all workspaces. Throws `forbidden`
     * for members of other workspaces.
     */
    actorIn(workspaceId: string | undefined): Actor;
    findWorkspace(id: string): Promise<WorkspaceRef>;
  };
}
