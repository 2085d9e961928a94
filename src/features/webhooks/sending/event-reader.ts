import type { Ctx } from "../../../shared/context.ts";
import type { EventView } from "../../event-feed/event-feed.schemas.ts";
import { findRestoredEnd, readEvents } from "../../event-feed/read-events.ts";
import { log } from "../../../shared/logger.ts";
import type { EventPosition } from "../../events/events.ids.ts";
import type { OpenWebhook } from "../open-webhook.ts";
import { isAboutMessage, isWanted, orderKey } from "../webhooks.matching.ts";
import { findConnectionsOfMessages } from "../webhooks.sql.ts";
import type { ReadEvent } from "./delivery-order.ts";
import type { PendingDeliveries } from "./pending-deliveries.ts";
import type { RenderedEvents } from "./rendered-events.ts";

export const MAX_REPLAYS = 10;
const PAGE = 100;

export interface ReplayRange {
  after: number;
  before: number;
  types: string[] | null;
}

interface Replay {
  after: number;
  through: number;
  types: string[] | null;
}

export interface ReaderProgress {
  /**
   * The requested replays, sent one after the other. After a crash, the first one continues after the last page that
   * was sent completely.
   */
  replays: readonly Replay[];
  /** Missing before the first read, and in objects that were stored by an earlier version. */
  lastRead?: EventPosition | null;
}

export class EventReader {
  private replays: readonly Replay[];
  private lastRead: EventPosition | null;
  private hasNews = true;
  /** The first replay has been read up to this sequence number. Events of the last page may still be unsent. */
  private readThrough: number | null = null;

  constructor(
    private readonly deliveries: PendingDeliveries,
    private readonly rendered: RenderedEvents,
    { replays, lastRead = null }: ReaderProgress,
  ) {
    this.replays = replays;
    this.lastRead = lastRead;
  }

  get progress(): ReaderProgress {
    return { replays: this.replays, lastRead: this.lastRead };
  }

  /**
   * If an operator has restored the database to an earlier time, the log ends before our cursor. We then continue from
   * the end of the restored log.
   */
  async followRestore(ctx: Ctx, webhookId: string): Promise<void> {
    const restoredEnd = this.lastRead === null ? null : await findRestoredEnd(ctx, this.lastRead);
    if (restoredEnd === null) return;
    log.error("webhook_log_restored", { webhookId, read: this.lastRead?.sequence, restoredEnd });
    this.deliveries.goBack(restoredEnd);
    this.lastRead = null;
    this.hasNews = true;
  }

  noteNews(): void {
    this.hasNews = true;
  }

  get mayHaveNews(): boolean {
    return this.hasNews;
  }

  /** False if there is nothing to read, or if events in memory must be sent first. */
  canRead(isProbing: boolean): boolean {
    const { isFull, hasUnsent, hasUnsentReplay } = this.deliveries;
    if (isFull || (isProbing && hasUnsent)) return false;
    return this.hasNews || (this.replays.length > 0 && !hasUnsentReplay);
  }

  async read(ctx: Ctx, webhook: OpenWebhook): Promise<void> {
    if (this.hasNews) await this.readNews(ctx, webhook);
    await this.readReplay(ctx, webhook);
  }

  replay({ after, before, types }: ReplayRange): number | null {
    if (this.replays.length >= MAX_REPLAYS) return null;
    const through = before - 1;
    const count = Math.max(0, through - after);
    if (count > 0) this.replays = [...this.replays, { after, through, types }];
    return count;
  }

  private async readNews(ctx: Ctx, webhook: OpenWebhook): Promise<void> {
    // Reset before the read, because `noteNews` can set it again during the read.
    this.hasNews = false;
    try {
      const page = await readEvents(ctx, { after: this.deliveries.end, types: webhook.types, limit: PAGE });
      this.deliveries.add(await this.wantedOf(ctx, webhook, page.events), page.lastExamined.sequence, ctx.now());
      this.lastRead = page.lastExamined;
      this.hasNews ||= page.hasMore;
    } catch (error) {
      this.hasNews = true;
      throw error;
    }
  }

  private async readReplay(ctx: Ctx, webhook: OpenWebhook): Promise<void> {
    if (this.deliveries.hasUnsentReplay) return;
    this.passSent();
    const [replay] = this.replays;
    if (replay === undefined) return;
    const { after, through, types } = replay;
    const wanted = webhook.types.filter((type) => types?.includes(type) ?? true);
    const { events, lastExamined, hasMore } = await readEvents(ctx, { after, types: wanted, limit: PAGE });
    this.readThrough = hasMore ? lastExamined.sequence : through;
    const inRange = events.filter(({ sequence }) => sequence <= through);
    this.deliveries.addReplay(await this.wantedOf(ctx, webhook, inRange), ctx.now());
  }

  private passSent(): void {
    const [replay, ...others] = this.replays;
    if (replay === undefined || this.readThrough === null) return;
    const left = this.readThrough < replay.through ? [{ ...replay, after: this.readThrough }] : [];
    this.replays = [...left, ...others];
    this.readThrough = null;
  }

  private async wantedOf(ctx: Ctx, { record }: OpenWebhook, events: readonly EventView[]): Promise<ReadEvent[]> {
    const { campaigns, connection_ids: connectionIds } = record;
    const messages = connectionIds === null ? [] : events.filter(isAboutMessage).map((each) => each.object_id);
    const ofMessages = await findConnectionsOfMessages(ctx, messages);
    const wanted = events.filter((each) => isWanted(each, { campaigns, connectionIds }, ofMessages));
    return wanted.map((view) => {
      const { id, sequence, type } = view;
      return { id, sequence, type, key: orderKey(view), bytes: this.rendered.add(view, ctx.now()) };
    });
  }
}
