import { closeCodes, type CloseReason, MAX_SOCKETS, MAX_SOCKETS_OF_MEMBER, SILENCE_MS } from "./live-updates.limits.ts";
import { attachment, type Progress, type PushedMessage, type Viewer } from "./live-updates.schemas.ts";

type PresentMembers = Extract<PushedMessage, { type: "presence" }>["members"];

/** Lists a member with several open pages once. The member is typing if they type on any of the pages. */
function otherMembersAt(viewers: Iterable<Viewer>, conversationId: string, userId: string): PresentMembers {
  const members = new Map<string, PresentMembers[number]>();
  for (const each of viewers) {
    if (each.conversationId !== conversationId || each.userId === userId) continue;
    if (members.get(each.userId)?.presence !== "typing")
      members.set(each.userId, { id: each.userId, name: each.name, presence: each.presence });
  }
  return [...members.values()];
}

export class ViewerSockets {
  progress: Progress | null = null;
  private readonly viewers = new Map<WebSocket, Viewer>();

  constructor(
    private readonly state: DurableObjectState,
    private readonly onEmpty: (last: Viewer) => void,
  ) {
    for (const socket of state.getWebSockets()) {
      const kept = attachment.parse(socket.deserializeAttachment());
      this.viewers.set(socket, kept.viewer);
      if ((kept.progress?.sequence ?? -1) > (this.progress?.sequence ?? -1)) this.progress = kept.progress;
    }
  }

  get size(): number {
    return this.viewers.size;
  }

  entries(): [WebSocket, Viewer][] {
    return [...this.viewers];
  }

  find(socket: WebSocket): Viewer | undefined {
    return this.viewers.get(socket);
  }

  /** All viewers of an object belong to one workspace, so any viewer identifies the workspace. */
  any(): Viewer | undefined {
    return this.viewers.values().next().value;
  }

  hasRoomFor(userId: string): boolean {
    const own = [...this.viewers.values()].filter((viewer) => viewer.userId === userId);
    return own.length < MAX_SOCKETS_OF_MEMBER && this.viewers.size < MAX_SOCKETS;
  }

  accept(socket: WebSocket, viewer: Viewer): void {
    this.state.acceptWebSocket(socket);
    this.keep(socket, viewer);
  }

  keep(socket: WebSocket, viewer: Viewer): void {
    this.viewers.set(socket, viewer);
    socket.serializeAttachment({ viewer, progress: this.progress });
  }

  send(socket: WebSocket, message: PushedMessage): void {
    try {
      socket.send(JSON.stringify(message));
    } catch {
      this.forget(socket);
    }
  }

  close(socket: WebSocket, reason: CloseReason): void {
    socket.close(closeCodes[reason], reason);
    this.forget(socket);
  }

  forget(socket: WebSocket): void {
    const viewer = this.viewers.get(socket);
    if (viewer === undefined) return;
    this.viewers.delete(socket);
    this.announce(viewer.conversationId);
    if (this.viewers.size === 0) this.onEmpty(viewer);
  }

  closeEnded(now: number): void {
    for (const [socket, { openedAt, sessionEndsAt }] of this.viewers) {
      const heardAt = this.state.getWebSocketAutoResponseTimestamp(socket)?.getTime() ?? openedAt;
      if (sessionEndsAt <= now) this.close(socket, "sessionEnded");
      else if (heardAt < now - SILENCE_MS) this.close(socket, "silent");
    }
  }

  announce(conversationId: string | null): void {
    if (conversationId === null) return;
    for (const [socket, { userId, conversationId: at }] of this.viewers) {
      if (at !== conversationId) continue;
      const members = otherMembersAt(this.viewers.values(), conversationId, userId);
      this.send(socket, { type: "presence", conversation_id: conversationId, members });
    }
  }
}

export class MessageCounts {
  private readonly counts = new WeakMap<WebSocket, { second: number; count: number }>();

  add(socket: WebSocket, now: number): number {
    const second = Math.floor(now / 1000);
    const before = this.counts.get(socket);
    const count = before?.second === second ? before.count + 1 : 1;
    this.counts.set(socket, { second, count });
    return count;
  }
}
