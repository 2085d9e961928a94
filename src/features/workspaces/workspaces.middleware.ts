import { createMiddleware } from "hono/factory";
import type { AppEnv } from "../../http/app-env.ts";
import { constantTimeEqual } from "../../shared/crypto.ts";
import { AppError } from "../../shared/errors.ts";
import { findWorkspace } from "./workspaces.service.ts";

/** Lets the operator pass, who may act for any workspace. */
export const authenticateOperator = createMiddleware<AppEnv>(async (c, next) => {
  const token = /^Bearer +(\S+) *$/i.exec(c.req.header("Authorization") ?? "")?.[1];
  if (token === undefined)
    throw new AppError("unauthorized", "Send the operator's token as Authorization: Bearer <ADMIN_TOKEN>.");
  const expected = c.env.ADMIN_TOKEN;
  if (!expected || !(await constantTimeEqual(token, expected)))
    throw new AppError("unauthorized", "This is not the operator's token.");
  const base = { ...c.var.base, actor: { type: "operator" } as const };
  c.set("base", base);
  c.set("findWorkspace", (id) => findWorkspace(base, id));
  await next();
});
