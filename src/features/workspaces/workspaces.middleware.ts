import type { Context } from "hono";
import { createMiddleware } from "hono/factory";
import type { AppEnv } from "../../http/app-env.ts";
import { bearerToken } from "../../http/request/headers.ts";
import type { Actor } from "../../shared/access/actor.ts";
import { constantTimeEqual } from "../../shared/security/crypto.ts";
import { AppError } from "../../shared/errors.ts";
import { hasSessionCookie, readSession, assertNotForged } from "../members/members.middleware.ts";
import type { Session } from "../members/members.schemas.ts";
import { findWorkspace } from "./workspaces.service.ts";

async function requireOperator(c: Context<AppEnv>): Promise<void> {
  const token = bearerToken(c.req.header("Authorization"));
  if (token === undefined)
    throw new AppError("unauthorized", "Send the operator's token as Authorization: Bearer <ADMIN_TOKEN>, or sign in.");
  const expected = c.env.ADMIN_TOKEN;
  if (!expected || !(await constantTimeEqual(token, expected)))
    throw new AppError("unauthorized", "The operator's token is not valid.");
}

export function memberIn({ user, memberships }: Session, workspaceId: string | undefined) {
  const workspace = memberships.find(({ id }) => id === workspaceId);
  if (workspace === undefined) throw new AppError("forbidden", "You are not a member of this workspace.");
  const actor: Actor = { type: "member", userId: user.id, role: workspace.role, connectionId: null };
  return { workspace, actor };
}

export const authenticateManager = createMiddleware<AppEnv>(async (c, next) => {
  const { base } = c.var;
  if (c.req.header("Authorization") === undefined && hasSessionCookie(c)) {
    const session = await readSession(c);
    if (session === null) throw new AppError("unauthorized", "Your session has ended. Sign in again.");
    await assertNotForged(c, session, c.req.header("X-CSRF-Token"));
    c.set("actorIn", (workspaceId) => memberIn(session, workspaceId).actor);
  } else {
    await requireOperator(c);
    c.set("actorIn", () => ({ type: "operator" }));
  }
  c.set("findWorkspace", (id) => findWorkspace(base, id));
  await next();
});
