import type { Ctx } from "../../../shared/context.ts";
import { textBytes } from "../../../shared/text/text.ts";
import type { EventView } from "../../event-feed/event-feed.schemas.ts";
import { readEventsAt } from "../../event-feed/read-events.ts";
import type { WantedEvent } from "../webhooks.deliveries.ts";
import { MAX_BODY_BYTES } from "./delivery-order.ts";

/** Objects are shown as they are when they are sent: what was read longer ago is read again. */
const FRESH_MS = 1000;
const MAX_KEPT_BYTES = 8_000_000;
/** Events that one query reads: those of the delivery, and the next ones. */
const READ_AT_ONCE = 100;

interface RenderedEvent {
  text: string;
  bytes: number;
  readAt: number;
}

/** Events as they are sent, kept for a moment: what was just read is not read again. In memory only. */
export class RenderedEvents {
  private readonly kept = new Map<string, RenderedEvent>();
  private bytes = 0;
  /** Resolves once the events that are being read are there. */
  private reading: Promise<unknown> = Promise.resolve();

  /** Keeps an event; gives its bytes. */
  add(view: EventView, readAt: number): number {
    const text = JSON.stringify(view);
    const bytes = textBytes(text);
    this.delete(view.id);
    this.kept.set(view.id, { text, bytes, readAt });
    this.bytes += bytes;
    for (const [id, each] of this.kept) {
      if (this.bytes <= MAX_KEPT_BYTES && readAt - each.readAt < FRESH_MS) break;
      this.delete(id);
    }
    return bytes;
  }

  /**
   * The events of a delivery as they are now, as JSON, up to the bytes of a body, and one at least. `rest` is what there is no room
   * for. `upcoming` lists the events that are sent after them.
   */
  async render(
    ctx: Ctx,
    events: readonly WantedEvent[],
    upcoming: (limit: number) => readonly number[],
  ): Promise<{ texts: string[]; rest: WantedEvent[] }> {
    // Another delivery may be reading these just now.
    if (!this.hasAll(events, ctx.now())) await this.reading;
    const left = this.hasAll(events, ctx.now()) ? [] : await this.readAgain(ctx, events, upcoming);
    return this.take(events, left);
  }

  /** Reads these events and those that follow; gives the sequence numbers of those that there was no room for. */
  private async readAgain(
    ctx: Ctx,
    events: readonly WantedEvent[],
    upcoming: (limit: number) => readonly number[],
  ): Promise<number[]> {
    const own = events.map(({ sequence }) => sequence);
    const reading = readEventsAt(ctx, [...own, ...upcoming(Math.max(0, READ_AT_ONCE - own.length))]);
    this.reading = reading.catch(() => undefined);
    const read = await reading;
    // The delivery's own last: they are kept in any case.
    const isOwn = ({ sequence }: EventView) => own.includes(sequence);
    for (const view of [...read.events.filter((each) => !isOwn(each)), ...read.events.filter(isOwn)])
      this.add(view, ctx.now());
    return read.left;
  }

  /** True where all of these are kept, as they were a moment ago. */
  private hasAll(events: readonly WantedEvent[], now: number): boolean {
    return events.every(({ id }) => now - (this.kept.get(id)?.readAt ?? -Infinity) < FRESH_MS);
  }

  /**
   * Takes the texts of these events out. `rest` begins with one of `left` or with one that was too much; others that are not kept
   * do not exist any more.
   */
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
