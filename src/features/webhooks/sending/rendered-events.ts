import type { Ctx } from "../../../shared/context.ts";
import { textBytes } from "../../../shared/text/text.ts";
import type { EventView } from "../../event-feed/event-feed.schemas.ts";
import { readEventsAt } from "../../event-feed/read-events.ts";
import type { WantedEvent } from "../webhooks.deliveries.ts";
import { MAX_BODY_BYTES } from "./delivery-order.ts";

/** Events contain the current state of their objects. After this time, rendered events are outdated and read again. */
const MAX_AGE_MS = 1000;
const MAX_KEPT_BYTES = 8_000_000;
const READ_AT_ONCE = 100;

interface RenderedEvent {
  text: string;
  bytes: number;
  readAt: number;
}

export class RenderedEvents {
  private readonly kept = new Map<string, RenderedEvent>();
  private bytes = 0;
  private reading: Promise<unknown> = Promise.resolve();

  add(view: EventView, readAt: number): number {
    const text = JSON.stringify(view);
    const bytes = textBytes(text);
    this.delete(view.id);
    this.kept.set(view.id, { text, bytes, readAt });
    this.bytes += bytes;
    for (const [id, each] of this.kept) {
      if (this.bytes <= MAX_KEPT_BYTES && readAt - each.readAt < MAX_AGE_MS) break;
      this.delete(id);
    }
    return bytes;
  }

  /** Returns as many texts as fit in a body. `rest` contains the events that are still to be sent. */
  async render(
    ctx: Ctx,
    events: readonly WantedEvent[],
    upcoming: (limit: number) => readonly number[],
  ): Promise<{ texts: string[]; rest: WantedEvent[] }> {
    // If another delivery is reading events, its read can include these events, so we wait for it first.
    if (!this.hasAll(events, ctx.now())) await this.reading;
    const left = this.hasAll(events, ctx.now()) ? [] : await this.readAgain(ctx, events, upcoming);
    return this.take(events, left);
  }

  private async readAgain(
    ctx: Ctx,
    events: readonly WantedEvent[],
    upcoming: (limit: number) => readonly number[],
  ): Promise<number[]> {
    const own = events.map(({ sequence }) => sequence);
    const reading = readEventsAt(ctx, [...own, ...upcoming(Math.max(0, READ_AT_ONCE - own.length))]);
    this.reading = reading.catch(() => undefined);
    const read = await reading;
    // Adds the delivery's own events last, because a full cache drops the oldest entries first.
    const isOwn = ({ sequence }: EventView) => own.includes(sequence);
    for (const view of [...read.events.filter((each) => !isOwn(each)), ...read.events.filter(isOwn)])
      this.add(view, ctx.now());
    return read.left;
  }

  private hasAll(events: readonly WantedEvent[], now: number): boolean {
    return events.every(({ id }) => now - (this.kept.get(id)?.readAt ?? -Infinity) < MAX_AGE_MS);
  }

  private take(events: readonly WantedEvent[], left: readonly number[]): { texts: string[]; rest: WantedEvent[] } {
    const texts: string[] = [];
    let bytes = 0;
    for (const [index, { id, sequence }] of events.entries()) {
      const each = this.kept.get(id);
      if (each === undefined && !left.includes(sequence)) continue;
      bytes += each?.bytes ?? 0;
      if (each === undefined || (texts.length > 0 && bytes > MAX_BODY_BYTES))
        return { texts, rest: events.slice(index) };
      texts.push(each.text);
      this.delete(id);
    }
    return { texts, rest: [] };
  }

  private delete(id: string): void {
    this.bytes -= this.kept.get(id)?.bytes ?? 0;
    this.kept.delete(id);
  }
}
