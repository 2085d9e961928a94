// Events as they are sent, for a moment: what was just read is not read again. In memory only.
import { textBytes } from "../../shared/text.ts";
import type { EventView } from "../event-feed/event-feed.schemas.ts";
import type { WantedEvent } from "./webhooks.deliveries.ts";

/** One event alone may have more. */
export const MAX_BODY_BYTES = 1_000_000;
/** Objects are shown as they are when they are sent: what was read longer ago is read again. */
const FRESH_MS = 1000;
const MAX_KEPT_BYTES = 8_000_000;

interface RenderedEvent {
  text: string;
  bytes: number;
  readAt: number;
}

export class RenderedEvents {
  private readonly kept = new Map<string, RenderedEvent>();
  private bytes = 0;

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

  /** True where all of these are kept, as they were a moment ago. */
  hasAll(events: readonly WantedEvent[], now: number): boolean {
    return events.every(({ id }) => now - (this.kept.get(id)?.readAt ?? -Infinity) < FRESH_MS);
  }

  /**
   * The texts of these events, which are kept no longer, up to the bytes of a body, and of one at least. `rest` is what there is
   * no room for, which begins with one of `left` or with one that was too much; others that are not kept do not exist any more.
   */
  take(events: readonly WantedEvent[], left: readonly number[]): { texts: string[]; rest: WantedEvent[] } {
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
