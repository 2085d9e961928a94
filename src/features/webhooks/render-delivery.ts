import type { Ctx } from "../../shared/context.ts";
import { readEventsAt } from "../event-feed/read-events.ts";
import type { SenderState } from "./sender-state.ts";
import type { Delivery } from "./webhooks.deliveries.ts";

/** Events that one trip reads: those of the delivery, and what is sent after it. */
const READ_AT_ONCE = 100;

/** The events as they are now, as JSON; `delivery` is what is left of it where its events have grown beyond one body. */
export async function renderDelivery(
  state: SenderState,
  ctx: Ctx,
  delivery: Delivery,
): Promise<{ delivery: Delivery; texts: string[] }> {
  const { rendered } = state;
  const { events } = delivery;
  // Another attempt may be reading these just now.
  if (!rendered.hasAll(events, ctx.now())) await state.reading;
  const left = rendered.hasAll(events, ctx.now()) ? [] : await readAgain(state, ctx, delivery);
  const { texts, rest } = rendered.take(events, left);
  return { delivery: rest.length === 0 ? delivery : state.split(delivery, rest.length, ctx.now()), texts };
}

/** Reads the events of a delivery and those that follow it; gives the sequence numbers of those that there was no room for. */
async function readAgain(state: SenderState, ctx: Ctx, { events }: Delivery): Promise<number[]> {
  const own = events.map(({ sequence }) => sequence);
  const next = state.health.probing === null ? state.backlog.upcoming(Math.max(0, READ_AT_ONCE - own.length)) : [];
  const reading = readEventsAt(ctx, [...own, ...next]);
  state.reading = reading.then(
    () => undefined,
    () => undefined,
  );
  const read = await reading;
  // The delivery's own last: they are kept in any case.
  const isOwn = new Set(own);
  const views = Map.groupBy(read.events, ({ sequence }) => isOwn.has(sequence));
  for (const view of [...(views.get(false) ?? []), ...(views.get(true) ?? [])]) state.rendered.add(view, ctx.now());
  return read.left;
}
