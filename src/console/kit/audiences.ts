// Whom pages are for, and what their visits have.
import type { Context } from "hono";
import { originOf, readSession, refuseForgery } from "../../features/members/members.middleware.ts";
import type { Session } from "../../features/members/members.schemas.ts";
import { forgeryToken } from "../../features/members/members.tokens.ts";
import { memberIn } from "../../features/workspaces/workspaces.middleware.ts";
import type { AppEnv } from "../../http/app-env.ts";
import { isRead, requireOwnPage } from "../../http/forgery.ts";
import { requireRole } from "../../shared/actor.ts";
import { forWorkspace } from "../../shared/context.ts";
import { AppError } from "../../shared/errors.ts";
import { loadAssets } from "./assets.ts";
import { readFlash } from "./flash.ts";
import { renderCard, renderInWorkspace } from "./layout.tsx";
import { PLACES, placesFor, SETTINGS } from "./navigation.ts";
import { type Audience, createPages } from "./pages.ts";
import type { UserVisit, Visit, WorkspaceVisit } from "./visit.ts";

/** A visit with a session, or with none. */
export async function visitWith(c: Context<AppEnv>, session: Session | null): Promise<Visit> {
  const { base } = c.var;
  return {
    base,
    url: new URL(c.req.url),
    origin: originOf(c),
    session,
    token: session === null ? "" : await forgeryToken(session.token, base.keySecret),
    flash: isRead(c) ? readFlash(c) : null,
    assets: await loadAssets(),
  };
}

async function visitOf(c: Context<AppEnv>, sentToken: string | undefined): Promise<Visit> {
  const session = await readSession(c);
  if (session === null) requireOwnPage(c);
  else await refuseForgery(c, session, sentToken);
  return visitWith(c, session);
}

async function userVisitOf(c: Context<AppEnv>, sentToken: string | undefined): Promise<UserVisit> {
  const visit = await visitOf(c, sentToken);
  if (visit.session === null) throw new AppError("unauthorized", "Sign in first.");
  return { ...visit, session: visit.session };
}

const anybody: Audience<Visit> = { base: "", admit: (c, { token }) => visitOf(c, token), render: renderCard };

const users: Audience<UserVisit> = {
  base: "",
  admit: (c, { token }) => userVisitOf(c, token),
  render: renderCard,
};

/** Only what looks like the id of a workspace is one, so that no page of another audience is meant. */
const WORKSPACE = "/:ws{ws_[0-9a-z]+}";

const members: Audience<WorkspaceVisit> = {
  base: WORKSPACE,
  async admit(c, { role, token, hasPage }) {
    const visit = await userVisitOf(c, token);
    const { workspace, actor } = memberIn(visit.session, c.req.param("ws"));
    requireRole(actor, role);
    const root = `/console/${workspace.id}`;
    return {
      ...visit,
      ctx: forWorkspace({ ...visit.base, actor }, workspace),
      workspace,
      path: (below) => root + below,
      here: visit.url.pathname.slice(root.length),
      places: placesFor(PLACES, workspace.role, hasPage),
      settings: placesFor(SETTINGS, workspace.role, hasPage),
    };
  },
  render: renderInWorkspace,
};

/** Pages that need no session: sign-in. */
export const openPages = () => createPages(anybody);

/** Pages of a user, in none of their workspaces: their password. */
export const userPages = () => createPages(users);

/** Pages of a workspace, for members of at least some role. */
export const workspacePages = () => createPages(members);
