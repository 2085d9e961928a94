import type { BaseCtx } from "../../shared/context.ts";
import { AppError, askObject, notFound } from "../../shared/errors.ts";
import { cut } from "../../shared/text/text.ts";
import type { Session } from "../members/members.schemas.ts";
import type { Viewer } from "./live-updates.schemas.ts";

const MAX_NAME = 80;

/** Passes the viewer to the object. The object trusts it, because only the Worker can call the object. */
export const VIEWER_HEADER = "Tidings-Viewer";

/**
 * Opens a socket for a member's page. Throws `not_found` for a workspace without this member, `rate_limited` if too many pages are
 * open.
 */
export async function openLiveSocket(base: BaseCtx, session: Session, workspaceId: string): Promise<WebSocket> {
  const membership = session.memberships.find(({ id }) => id === workspaceId);
  if (membership === undefined) throw notFound("workspace");
  const { id, number, shard, role } = membership;
  const viewer: Viewer = {
    workspace: { id, number, shard },
    userId: session.user.id,
    name: cut(session.user.name, MAX_NAME),
    role,
    sessionId: session.id,
    sessionEndsAt: session.endsAt,
    conversationId: null,
    presence: "looking",
    openedAt: base.now(),
  };
  const headers = { Upgrade: "websocket", [VIEWER_HEADER]: encodeURIComponent(JSON.stringify(viewer)) };
  const { webSocket } = await askObject(async () =>
    base.liveUpdates.getByName(id).fetch("https://live-updates/", { headers }),
  );
  if (webSocket === null) throw new AppError("rate_limited", "Too many Tidings pages are open.");
  return webSocket;
}
