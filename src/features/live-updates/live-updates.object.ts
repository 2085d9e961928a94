import { setAlarmBy } from "../../shared/alarms.ts";
import { type BaseCtx, type Ctx, forWorkspace } from "../../shared/context.ts";
import { log } from "../../shared/logger.ts";
import { findSessionRoles, VIEWER_HEADER } from "./viewer-sessions.ts";
import { followLog, leaveLog, readNewChanges } from "./follow-log.ts";
import { changesFor } from "./live-updates.changes.ts";
import {
  CHECK_MS,
  LINGER_MS,
  MAX_CHANGES_PUSHED,
  MAX_MESSAGE_LENGTH,
  MAX_MESSAGES_PER_SECOND,
  REST_MS,
} from "./live-updates.limits.ts";
import { type Progress, readViewMessage, viewer as viewerShape, type Viewer } from "./live-updates.schemas.ts";
import { MessageCounts, ViewerSockets } from "./viewer-sockets.ts";

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

export class LiveUpdatesWork {
  private readonly sockets: ViewerSockets;
  private readonly messageCounts = new MessageCounts();
  private hasNewEvents = false;
  private isReading = false;
  private lastLogUse: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly ctx: DurableObjectState,
    private readonly createCtx: () => BaseCtx,
  ) {
    ctx.setWebSocketAutoResponse(new WebSocketRequestResponsePair("ping", "pong"));
    this.sockets = new ViewerSockets(ctx, (last) => ctx.waitUntil(this.leaveWhenEmpty(last)));
  }

  async fetch(request: Request): Promise<Response> {
    const viewer = viewerShape.parse(JSON.parse(decodeURIComponent(request.headers.get(VIEWER_HEADER) ?? "")));
    this.sockets.closeEnded(Date.now());
    if (!this.sockets.hasRoomFor(viewer.userId)) return new Response(null, { status: 429 });
    const { 0: client, 1: socket } = new WebSocketPair();
    this.sockets.accept(socket, viewer);
    this.ctx.waitUntil(this.welcome(socket, viewer));
    await this.scheduleCheck();
    return new Response(null, { status: 101, webSocket: client });
  }

  async wake(): Promise<void> {
    this.hasNewEvents = true;
    if (!this.isReading) this.ctx.waitUntil(this.pushChanges());
    if (this.sockets.size > 0) await this.scheduleCheck();
  }

  async checkViewers(): Promise<void> {
    const first = this.sockets.any();
    if (first === undefined) return;
    const sessionIds = this.sockets.entries().map(([, { sessionId }]) => sessionId);
    const roles = await findSessionRoles(this.ctxOf(first), sessionIds);
    const queried = new Set(sessionIds);
    for (const [socket, { sessionId, role }] of this.sockets.entries()) {
      if (!queried.has(sessionId)) continue; // the socket was opened during the query
      const current = roles.get(sessionId);
      if (current === undefined) this.sockets.close(socket, "sessionEnded");
      else if (current === null) this.sockets.close(socket, "membershipEnded");
      else if (current !== role) this.sockets.close(socket, "roleChanged");
    }
  }

  webSocketMessage(socket: WebSocket, message: string | ArrayBuffer): void {
    const viewer = this.sockets.find(socket);
    if (viewer === undefined) return;
    const now = Date.now();
    if (viewer.sessionEndsAt <= now) return this.sockets.close(socket, "sessionEnded");
    if (typeof message !== "string") return this.sockets.close(socket, "unknownMessage");
    if (message.length > MAX_MESSAGE_LENGTH) return this.sockets.close(socket, "tooLong");
    if (this.messageCounts.add(socket, now) > MAX_MESSAGES_PER_SECOND)
      return this.sockets.close(socket, "tooManyMessages");
    const view = readViewMessage(message);
    if (view === null) return this.sockets.close(socket, "unknownMessage");
    const { conversation_id: conversationId, presence } = view;
    this.sockets.keep(socket, { ...viewer, conversationId, presence });
    if (viewer.conversationId !== conversationId) this.sockets.announce(viewer.conversationId);
    this.sockets.announce(conversationId);
    this.ctx.waitUntil(this.scheduleCheck());
  }

  webSocketClose(socket: WebSocket): void {
    this.sockets.forget(socket);
    socket.close(); // completes the closing handshake
  }

  webSocketError(socket: WebSocket): void {
    this.sockets.forget(socket);
  }

  /** `wake` reports new events to the object. Such a call can be lost, so the alarm also reads events. */
  async alarm(): Promise<void> {
    this.sockets.closeEnded(Date.now());
    await this.checkViewers();
    const first = this.sockets.any();
    if (first === undefined) return;
    await this.scheduleCheck();
    await this.inTurn(() => this.follow(first));
    await this.wake();
  }

  /**
   * Sets the alarm for the time when the first session ends, but at most two minutes from now. Each call also replaces
   * a lost alarm.
   */
  private async scheduleCheck(): Promise<void> {
    const ends = this.sockets.entries().map(([, { sessionEndsAt }]) => sessionEndsAt);
    await setAlarmBy(this.ctx.storage, Math.min(Date.now() + CHECK_MS, ...ends));
  }

  private ctxOf({ workspace }: Viewer): Ctx {
    return forWorkspace(this.createCtx(), workspace);
  }

  /**
   * A read and a registration at the same time could overwrite each other's progress, so they run one after the other.
   */
  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.lastLogUse.then(work);
    this.lastLogUse = turn.catch(() => {});
    return turn;
  }

  private async follow(viewer: Viewer): Promise<Progress> {
    const progress = await followLog(this.ctxOf(viewer), this.sockets.progress);
    this.sockets.progress = progress;
    return progress;
  }

  /** Sends `welcome` after the object is registered as a listener, so that the page misses no later change. */
  private async welcome(socket: WebSocket, viewer: Viewer): Promise<void> {
    try {
      const { at } = await this.inTurn(() => this.follow(viewer));
      const current = this.sockets.find(socket);
      if (current === undefined) return; // the socket was closed during the registration
      this.sockets.keep(socket, current);
      this.sockets.send(socket, { type: "welcome", newest_at: at });
    } catch (error) {
      log.error("live_socket_not_ready", { error });
      this.sockets.close(socket, "unavailable");
    }
  }

  private async pushChanges(): Promise<void> {
    this.isReading = true;
    try {
      while (this.hasNewEvents) {
        this.hasNewEvents = false;
        await this.inTurn(() => this.pushNextChanges());
        await pause(REST_MS);
      }
    } catch (error) {
      log.error("live_updates_failed", { error });
      for (const [socket] of this.sockets.entries()) this.sockets.send(socket, { type: "resync" });
    } finally {
      this.isReading = false;
    }
  }

  private async pushNextChanges(): Promise<void> {
    const { progress } = this.sockets;
    const first = this.sockets.any();
    if (first === undefined || progress === null) return;
    const read = await readNewChanges(this.ctxOf(first), progress);
    this.sockets.progress = read.progress;
    const now = Date.now();
    for (const [socket, viewer] of this.sockets.entries()) {
      if (viewer.sessionEndsAt <= now) {
        this.sockets.close(socket, "sessionEnded");
        continue;
      }
      this.sockets.keep(socket, viewer);
      const changes = changesFor(viewer.role, read.changes);
      if (!read.isComplete || changes.length > MAX_CHANGES_PUSHED) this.sockets.send(socket, { type: "resync" });
      else if (changes.length > 0) this.sockets.send(socket, { type: "changes", changes });
    }
  }

  private async leaveWhenEmpty(last: Viewer): Promise<void> {
    try {
      await this.ctx.storage.deleteAlarm();
      await pause(LINGER_MS);
      await this.inTurn(async () => {
        if (this.sockets.size > 0 || this.sockets.progress === null) return;
        this.sockets.progress = null;
        await leaveLog(this.ctxOf(last));
      });
    } catch (error) {
      log.error("live_log_not_left", { error }); // the registration expires by itself
    }
  }
}
