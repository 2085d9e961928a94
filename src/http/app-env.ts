import type { BaseCtx, Ctx, WorkspaceRef } from "../shared/context.ts";

/** What middleware leaves for the handlers behind it. */
export interface AppEnv {
  Bindings: Env;
  Variables: {
    requestId: string;
    base: BaseCtx;
    /** The workspace of the API key. */
    ctx: Ctx;
    /** Throws `not_found`. */
    findWorkspace(id: string): Promise<WorkspaceRef>;
  };
}
