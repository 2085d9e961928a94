import type { WorkspaceRef } from "../shared/workspace.ts";
import type { Actor } from "../shared/actor.ts";
import type { Caller } from "../shared/caller.ts";
import type { BaseCtx, Ctx } from "../shared/context.ts";
import type { ErrorCode } from "../shared/errors.ts";

/** Set by middleware for the handlers behind it. */
export interface AppEnv {
  Bindings: Env;
  Variables: {
    requestId: string;
    base: BaseCtx;
    /** The workspace of the API key. */
    ctx: Ctx;
    caller: Caller;
    /** The key that a request was sent with, and its workspace: set before it is known whether it may pass. */
    knownKey?: { keyId: string; workspaceId: string };
    /** The code of an answer that is an error. */
    errorCode?: ErrorCode;
    /** The actor in a workspace, or in none. Throws `forbidden` for members outside of it. */
    actorIn(workspaceId: string | undefined): Actor;
    /** Throws `not_found`. */
    findWorkspace(id: string): Promise<WorkspaceRef>;
  };
}
