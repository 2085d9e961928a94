// Events that were read and not yet sent: which of them leave together, and when. Pure.
import type { WantedEvent } from "./webhooks.deliveries.ts";
import type { Holds } from "./webhooks.holds.ts";
import { MAX_BODY_BYTES } from "./webhooks.rendered.ts";

export interface BatchSize {
  maxEvents: number;
  maxWaitMs: number;
}

export interface ReadEvent extends WantedEvent {
  /** Of its JSON as it was read. */
  bytes: number;
}

export interface FreshEvent extends ReadEvent {
  readAt: number;
  isReplay: boolean;
}

/** Parts the events that were read into those that could leave next, those that a failure holds back, and the rest. */
export function pickFresh(fresh: readonly FreshEvent[], batch: BatchSize | null, { failing, ...holds }: Holds) {
  const max = batch?.maxEvents ?? 1;
  const onTheirWay = new Set(holds.onTheirWay);
  const heldKeys = new Set(holds.held);
  const held: FreshEvent[] = [];
  const picked: FreshEvent[] = [];
  const rest: FreshEvent[] = [];
  let bytes = 0;
  const isFull = () => picked.length >= max || bytes > MAX_BODY_BYTES;
  for (const event of fresh) {
    const { key, sequence } = event;
    if (heldKeys.has(key) || (failing.get(key) ?? Infinity) < sequence) {
      held.push(event);
      heldKeys.add(key);
    } else if (onTheirWay.has(key) || isFull() || picked[0]?.isReplay === !event.isReplay) {
      rest.push(event);
      // Later events with its key stay behind it.
      onTheirWay.add(key);
    } else {
      bytes += event.bytes;
      if (picked.length > 0 && bytes > MAX_BODY_BYTES) {
        rest.push(event);
        onTheirWay.add(key);
      } else picked.push(event);
    }
  }
  return { picked, held, rest, isFull: isFull() };
}

/** When a request of these events may leave; Infinity for none. */
export function completeAt(picked: readonly FreshEvent[], batch: BatchSize | null, isFull: boolean): number {
  const [first] = picked;
  if (first === undefined) return Infinity;
  return batch === null || isFull ? -Infinity : first.readAt + batch.maxWaitMs;
}
