import { closeCodes, type CloseReason, MAX_SOCKETS, MAX_SOCKETS_OF_MEMBER, SILENCE_MS } from "./live-updates.limits.ts";
import { attachment, type Progress, type PushedMessage, type Viewer } from "./live-updates.schemas.ts";
import { otherMembersAt } from "./live-updates.presence.ts";

/** The open sockets of a workspace, each with its viewer. Both are kept in the socket's attachment while the object sleeps. */
export class ViewerSockets {
  /** How far the log has been read; null while it is not followed. */
  progress: Progress | null = null;
  private readonly viewers = new Map<WebSocket, Viewer>();

  /** `onEmpty` is called with the last viewer once all have gone. */
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

  /** Any viewer: all are of one workspace. */
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

  /** Stores the viewer and how far the log has been read with the socket. */
  keep(socket: WebSocket, viewer: Viewer): void {
    this.viewers.set(socket, viewer);
    socket.serializeAttachment({ viewer, progress: this.progress });
  }

  send(socket: WebSocket, message: PushedMessage): void {
    try {
      socket.send(JSON.stringify(message));
    } catch {
      this.forget(socket); // closed already
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

  /** Closes the sockets whose session has ended, and those of pages that no longer send pings. */
  closeEnded(now: number): void {
    for (const [socket, { openedAt, sessionEndsAt }] of this.viewers) {
      const heardAt = this.state.getWebSocketAutoResponseTimestamp(socket)?.getTime() ?? openedAt;
      if (sessionEndsAt <= now) this.close(socket, "sessionEnded");
      else if (heardAt < now - SILENCE_MS) this.close(socket, "silent");
    }
  }

  /** Tells the members at a conversation who else is there. */
  announce(conversationId: string | null): void {
    if (conversationId === null) return;
    for (const [socket, { userId, conversationId: at }] of this.viewers) {
      if (at !== conversationId) continue;
      const members = otherMembersAt(this.viewers.values(), conversationId, userId);
      this.send(socket, { type: "presence", conversation_id: conversationId, members });
    }
  }
}
