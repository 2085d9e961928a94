import type { Context } from "hono";
import type { Caller, LeastRole } from "../shared/access/actor.ts";
import { type BaseCtx, type Ctx, forWorkspace } from "../shared/context.ts";
import type { AppEnv } from "./app-env.ts";

export type RequestConditions = Pick<Ctx, "once" | "expectedRevisions">;

export const UNCONDITIONAL: RequestConditions = { once: null, expectedRevisions: null };

export interface Audience<C> {
  role: LeastRole | null;
  contextOf(c: Context<AppEnv>, conditions: RequestConditions): C | Promise<C>;
  takesIdempotencyKey: boolean;
}

export const publicApi: Audience<Ctx> = {
  role: null,
  contextOf: (c, conditions) => ({ ...c.var.ctx, ...conditions }),
  takesIdempotencyKey: true,
};

export const callerApi: Audience<Ctx & { caller: Caller }> = {
  ...publicApi,
  contextOf: (c, conditions) => ({ ...c.var.ctx, ...conditions, caller: c.var.caller }),
};

export const operatorApi: Audience<BaseCtx> = {
  role: "operator",
  contextOf: (c) => c.var.base,
  takesIdempotencyKey: false,
};

export const workspaceApi: Audience<Ctx> = {
  role: "admin",
  contextOf: async (c) => forWorkspace(c.var.base, await c.var.findWorkspace(c.req.param("ws") ?? "")),
  takesIdempotencyKey: false,
};
