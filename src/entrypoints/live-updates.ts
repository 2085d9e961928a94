import { DurableObject } from "cloudflare:workers";
import type { LiveUpdatesWork } from "../features/live-updates/live-updates.object.ts";
import { lazily } from "../shared/memo.ts";
import { createBaseCtx } from "./base-context.ts";

export const loadLiveUpdates = lazily(
  async () => (await import("../features/live-updates/live-updates.object.ts")).LiveUpdatesWork,
);

export class LiveUpdates extends DurableObject<Env> {
  private readonly work: Promise<LiveUpdatesWork>;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.work = ctx.blockConcurrencyWhile(async () => {
      const Work = await loadLiveUpdates();
      return new Work(ctx, () =>
        createBaseCtx(this.env, { actor: { type: "system" }, waitUntil: (work) => ctx.waitUntil(work) }),
      );
    });
  }

  override async fetch(request: Request): Promise<Response> {
    return (await this.work).fetch(request);
  }

  async wake(): Promise<void> {
    await (await this.work).wake();
  }

  async checkViewers(): Promise<void> {
    await (await this.work).checkViewers();
  }

  override async webSocketMessage(socket: WebSocket, message: string | ArrayBuffer): Promise<void> {
    (await this.work).webSocketMessage(socket, message);
  }

  override async webSocketClose(socket: WebSocket): Promise<void> {
    (await this.work).webSocketClose(socket);
  }

  override async webSocketError(socket: WebSocket): Promise<void> {
    (await this.work).webSocketError(socket);
  }

  override async alarm(): Promise<void> {
    await (await this.work).alarm();
  }
}
