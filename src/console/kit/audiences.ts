import type { Context } from "hono";
import {
  countUnreadAndMentions,
  type UnreadAndMentions,
} from "../../features/conversations/team/count-unread-and-mentions.ts";
import { originOf, assertNotForged, readSession } from "../../features/members/members.middleware.ts";
import type { Session } from "../../features/members/members.schemas.ts";
import { forgeryToken } from "../../features/members/members.tokens.ts";
import { memberIn } from "../../features/workspaces/workspaces.middleware.ts";
import { noteRequest } from "../../features/scans/scans.service.ts";
import type { AppEnv } from "../../http/app-env.ts";
import { isRead, requireOwnPage } from "../../http/request/forgery.ts";
import { requireRole } from "../../shared/access/actor.ts";
import { type Ctx, forWorkspace } from "../../shared/context.ts";
import { log } from "../../shared/logger.ts";
import { AppError } from "../../shared/errors.ts";
import { loadAssets } from "./page/assets.ts";
import { readNotice } from "./page/notice.ts";
import { FURTHER_PAGES, MAIN_NAVIGATION, navigationFor, SETTINGS_NAVIGATION, UNREAD_LIMIT } from "./page/navigation.ts";
import { renderPage, renderWorkspacePage } from "./page/page.tsx";
import { type PageAudience, createPages } from "./pages.ts";
import type { UserRequest, PageRequest, WorkspaceRequest } from "./request.ts";
import { readPersonPane, readTheme } from "./page/appearance.ts";

export async function createPageRequest(c: Context<AppEnv>, session: Session | null): Promise<PageRequest> {
  const { base } = c.var;
  const receivedAt = base.now();
  return {
    base,
    url: new URL(c.req.url),
    origin: originOf(c),
    session,
    token: session === null ? "" : await forgeryToken(session.token, base.keySecret),
    onceToken: base.newId("form"),
    notice: readNotice(c),
    refused: null,
    isSendingStopped: !base.sends,
    theme: readTheme(c),
    personPane: readPersonPane(c),
    assets: await loadAssets(),
    receivedAt,
  };
}

async function readPageRequest(c: Context<AppEnv>, sentToken: string | undefined): Promise<PageRequest> {
  const session = await readSession(c);
  if (session === null) requireOwnPage(c);
  else await assertNotForged(c, session, sentToken);
  return createPageRequest(c, session);
}

async function readUserRequest(c: Context<AppEnv>, sentToken: string | undefined): Promise<UserRequest> {
  const request = await readPageRequest(c, sentToken);
  if (request.session === null) throw new AppError("unauthorized", "Sign in first.");
  return { ...request, session: request.session };
}

const publicAudience: PageAudience<PageRequest> = {
  base: "",
  authorise: (c, { token }) => readPageRequest(c, token),
  render: renderPage,
};

const userAudience: PageAudience<UserRequest> = {
  base: "",
  authorise: (c, { token }) => readUserRequest(c, token),
  render: renderPage,
};

const WORKSPACE = "/:ws{ws_[0-9a-z]+}";

/** If counting fails, returns null, so that the page is still rendered, but without the count. */
const countForFrame = (ctx: Ctx, { user }: Session): Promise<UnreadAndMentions | null> =>
  countUnreadAndMentions(ctx, user.id, UNREAD_LIMIT).catch((error: unknown) => {
    log.error("unread_not_counted", { requestId: ctx.requestId, error });
    return null;
  });

const workspaceAudience: PageAudience<WorkspaceRequest> = {
  base: WORKSPACE,
  async authorise(c, { role, token, conditions, hasPage }) {
    const request = await readUserRequest(c, token);
    const { workspace, actor } = memberIn(request.session, c.req.param("ws"));
    requireRole(actor, role);
    const root = `/console/${workspace.id}`;
    const own = { ...forWorkspace({ ...request.base, actor }, workspace), ...conditions };
    noteRequest(own);
    // The page and the layout around it load their data at the same time. `sharedShard` combines these queries
    // into one round trip.
    const ctx = isRead(c) ? { ...own, db: own.sharedShard(workspace.shard) } : own;
    let counting: Promise<UnreadAndMentions | null> | undefined;
    return {
      ...request,
      ctx,
      workspace,
      countUnreadAndMentions: () => (counting ??= countForFrame(ctx, request.session)),
      path: (below) => root + below,
      here: request.url.pathname.slice(root.length),
      mainNavigation: navigationFor(MAIN_NAVIGATION, workspace.role, hasPage),
      settingsNavigation: navigationFor(SETTINGS_NAVIGATION, workspace.role, hasPage),
      furtherPages: navigationFor(FURTHER_PAGES, workspace.role, hasPage),
    };
  },
  prepare: (request) => void request.countUnreadAndMentions(),
  render: renderWorkspacePage,
};

export const publicPages = () => createPages(publicAudience);

export const userPages = () => createPages(userAudience);

export const workspacePages = () => createPages(workspaceAudience);
