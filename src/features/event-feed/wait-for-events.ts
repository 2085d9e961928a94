import { actorKey } from "../../shared/access/actor.ts";
import type { Ctx } from "../../shared/context.ts";
import { MINUTE_MS, SECOND_MS } from "../../shared/time/durations.ts";
import { AppError, askObject } from "../../shared/errors.ts";
import { log } from "../../shared/logger.ts";
import { MAX_WAITING, MAX_WAITING_IN_WORKSPACE } from "./event-feed.limits.ts";
import { type EventPage, readEventPage } from "./read-events.ts";

/** The pause between two reads of one request, for a busy workspace whose events the filter excludes. */
const REST_MS = 250;

/** How long a workspace's feed stays registered as a listener. Requests that follow write nothing. */
const LISTEN_MS = MINUTE_MS;

/** Throws `rate_limited` if the caller has too many waiting requests, `unavailable` if the feed cannot be reached. */
async function enterFeed(ctx: Ctx) {
  const feed = ctx.eventFeeds.getByName(ctx.workspace.id);
  const place = await askObject(async () => feed.enter(actorKey(ctx.actor))).catch((error: unknown) => {
    log.error("event_feed_unreachable", { requestId: ctx.requestId, error });
    throw new AppError("unavailable", "Waiting is currently not possible. Try again shortly.");
  });
  if (place !== null) return place;
  const limits = `at most ${MAX_WAITING} per key or member, ${MAX_WAITING_IN_WORKSPACE} per workspace`;
  throw new AppError("rate_limited", `Too many requests are waiting: ${limits}.`);
}

/**
 * Waits until `ms` or `signal` for matching events after `examined`. Registers the feed as a listener before reading again, so no
 * commit is missed.
 */
export async function waitForEvents(
  ctx: Ctx,
  query: { types: readonly string[]; limit: number },
  { examined, ms, signal }: { examined: number; ms: number; signal: AbortSignal },
): Promise<EventPage> {
  const deadline = ctx.now() + ms;
  using place = await enterFeed(ctx);
  // Leave now: the runtime keeps the request of a disconnected client in the feed until its wait ends.
  const leave = () => ctx.waitUntil(place.leave());
  signal.addEventListener("abort", leave);
  try {
    const listen = { atLeast: deadline + SECOND_MS, until: ctx.now() + LISTEN_MS };
    let page = await readEventPage(ctx, { ...query, from: examined }, listen);
    while (page.events.length === 0 && !page.hasMore && !signal.aborted) {
      const isWoken = await place.wait(Math.max(0, deadline - ctx.now())).catch((error: unknown) => {
        log.error("event_feed_unreachable", { requestId: ctx.requestId, error });
        return false;
      });
      if (signal.aborted) break;
      page = await readEventPage(ctx, { ...query, from: page.lastExamined.sequence });
      if (!isWoken || ctx.now() >= deadline) break;
      if (page.events.length === 0) await ctx.wait(REST_MS);
    }
    return page;
  } finally {
    signal.removeEventListener("abort", leave);
  }
}
