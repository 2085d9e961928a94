import { sql } from "drizzle-orm";
import * as z from "zod";
import { members, sessions } from "../../db/schema/index.ts";
import { fetchRows, statement } from "../../db/statement.ts";
import { type Role, roles } from "../../shared/access/actor.ts";
import type { BaseCtx, Ctx } from "../../shared/context.ts";
import { AppError, askObject, notFound } from "../../shared/errors.ts";
import { cut } from "../../shared/text/text.ts";
import type { Session } from "../members/members.schemas.ts";
import type { Viewer } from "./live-updates.schemas.ts";

const sessionRow = z.object({ id: z.string(), role: z.enum(roles).nullable() });

export async function findSessionRoles(ctx: Ctx, sessionIds: string[]): Promise<ReadonlyMap<string, Role | null>> {
  const query = statement(
    sessionRow,
    sql`
      SELECT ${sessions.id}, ${members.role} FROM json_each(${JSON.stringify([...new Set(sessionIds)])}) e
      CROSS JOIN ${sessions} ON ${sessions.id} = e.value
      LEFT JOIN ${members} ON ${members.workspaceId} = ${ctx.workspace.id} AND ${members.userId} = ${sessions.userId}
      WHERE ${sessions.expiresAt} > ${ctx.now()}`,
  );
  return new Map((await fetchRows(ctx.control, query)).map(({ id, role }) => [id, role]));
}

const MAX_NAME = 80;

/** The Worker sends the viewer in this header. The object trusts it, because only the Worker can call the object. */
export const VIEWER_HEADER = "Tidings-Viewer";

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
