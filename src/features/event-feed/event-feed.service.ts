import { actorKey } from "../../shared/access/actor.ts";
import { type Ctx, hasDisconnected } from "../../shared/context.ts";
import { MINUTE_MS, SECOND_MS } from "../../shared/time/durations.ts";
import { AppError, askObject, notFound } from "../../shared/errors.ts";
import { log } from "../../shared/logger.ts";
import { fetchRow } from "../../db/statement.ts";
import { eventId, type EventPosition, readEventId } from "../events/events.ids.ts";
import { MAX_WAITING, MAX_WAITING_IN_WORKSPACE } from "./event-feed.waiting.ts";
import { type EventPage, readEventPage, readEventsAt } from "./read-events.ts";
import type { EventView } from "./event-feed.schemas.ts";
import { type EventSpan, selectEventSpan } from "./read-events.sql.ts";

/**
 * The pause of a waiting request after it was woken but found no matching event. In a busy workspace it would otherwise
 * read the log again for every event that its filter excludes.
 */
const REST_MS = 250;

/**
 * How long the feed of a workspace stays registered as a listener. During this time, other waiting requests need not
 * write the registration again.
 */
const LISTEN_MS = MINUTE_MS;

async function enterFeed(ctx: Ctx) {
  const feed = ctx.eventFeeds.getByName(ctx.workspace.id);
  const request = await askObject(async () => feed.enter(actorKey(ctx.actor))).catch((error: unknown) => {
    log.error("event_feed_unreachable", { requestId: ctx.requestId, error });
    throw new AppError("unavailable", "Requests cannot wait for events at the moment. Try again shortly.");
  });
  if (request !== null) return request;
  const limits = `at most ${MAX_WAITING} per key or member, ${MAX_WAITING_IN_WORKSPACE} per workspace`;
  throw new AppError("rate_limited", `Too many requests are waiting: ${limits}.`);
}

/**
 * Registers the request and the feed before it reads the log again. An event that is stored after this read then wakes
 * the request, so it misses no event.
 */
async function waitForEvents(
  ctx: Ctx,
  query: { types: readonly string[]; limit: number },
  { examined, ms }: { examined: number; ms: number },
) {
  const deadline = ctx.now() + ms;
  const { signal } = ctx;
  using request = await enterFeed(ctx);
  const leave = () => ctx.waitUntil(request.leave());
  signal?.addEventListener("abort", leave);
  try {
    const listen = { atLeast: deadline + SECOND_MS, until: ctx.now() + LISTEN_MS };
    let page = await readEventPage(ctx, { ...query, from: examined }, listen);
    while (page.events.length === 0 && !page.hasMore && !hasDisconnected(ctx)) {
      const isWoken = await request.wait(Math.max(0, deadline - ctx.now())).catch((error: unknown) => {
        log.error("event_feed_unreachable", { requestId: ctx.requestId, error });
        return false;
      });
      if (hasDisconnected(ctx)) break;
      page = await readEventPage(ctx, { ...query, from: page.lastExamined.sequence });
      if (!isWoken || ctx.now() >= deadline) break;
      if (page.events.length === 0) await ctx.wait(REST_MS);
    }
    return page;
  } finally {
    signal?.removeEventListener("abort", leave);
  }
}

interface EventListQuery {
  /** An event's id, or `now`. If undefined, the list starts with the oldest event. */
  after: string | undefined;
  types: readonly string[];
  limit: number;
  waitSeconds: number | undefined;
}

function requirePosition(ctx: Ctx, id: string): EventPosition {
  const position = readEventId(ctx.workspace.id, id);
  if (position === null) throw notFound("event");
  return position;
}

function requireLogged({ sequence, at }: EventPosition, span: EventSpan): void {
  const isKept = sequence >= span.oldest;
  if (sequence > span.newest || (isKept && at !== span.fromAt)) throw notFound("event");
}

function requireContinuable(ctx: Ctx, position: EventPosition, { span }: EventPage): void {
  const { sequence } = position;
  if (sequence < span.oldest - 1) {
    const oldest = eventId(ctx.workspace.id, { sequence: span.oldest, at: span.oldestAt });
    const message = "The events after this event have been deleted. Omit `after` to start with the oldest event.";
    throw new AppError("cursor_expired", message, { oldest });
  }
  requireLogged(position, span);
}

export async function findSequence(ctx: Ctx, id: string): Promise<number> {
  const position = requirePosition(ctx, id);
  const span = await fetchRow(ctx.db, selectEventSpan(ctx, position.sequence, 0));
  if (span !== undefined) requireLogged(position, span);
  return position.sequence;
}

export async function listEvents(ctx: Ctx, { after, types, limit, waitSeconds }: EventListQuery) {
  const position = after === undefined || after === "now" ? null : requirePosition(ctx, after);
  const from = after === "now" ? "newest" : (position?.sequence ?? 0);
  let page = await readEventPage(ctx, { from, types, limit });
  if (position !== null) requireContinuable(ctx, position, page);
  if (waitSeconds !== undefined && page.events.length === 0 && !page.hasMore) {
    const wait = { examined: page.lastExamined.sequence, ms: waitSeconds * SECOND_MS };
    page = await waitForEvents(ctx, { types, limit }, wait);
  }
  return { events: page.events, next: eventId(ctx.workspace.id, page.lastExamined), hasMore: page.hasMore };
}

export async function getEvent(ctx: Ctx, id: string): Promise<EventView> {
  const { events } = await readEventsAt(ctx, [requirePosition(ctx, id).sequence]);
  const [found] = events;
  if (found === undefined || found.id !== id) throw notFound("event");
  return found;
}
