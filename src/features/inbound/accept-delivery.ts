import type { ChannelWebhook, OpenConnection } from "../../channels/channel.ts";
import { bundleEvents } from "../../channels/event-bundles.ts";
import { channelOf } from "../../channels/registry.ts";
import type { BaseCtx } from "../../shared/context.ts";
import { MINUTE_MS } from "../../shared/durations.ts";
import { AppError } from "../../shared/errors.ts";
import { log } from "../../shared/logger.ts";
import { openConnection } from "../connections/open-connection.ts";
import { findPublished, loadPublished, type PublishedConnection } from "../connections/publish-connection.ts";
import { hasOwn } from "../../shared/own.ts";

/** How long a connection's settings are trusted before a wrong signature makes us look into D1 again. */
const RELOAD_MS = MINUTE_MS;
const RELOADS_REMEMBERED = 10_000;

/** When this isolate last looked into D1 for a connection: KV alone may lag behind. */
const reloads = new Map<string, number>();

function mayReload(ctx: BaseCtx, id: string, loadedAt: number): boolean {
  const last = Math.max(loadedAt, reloads.get(id) ?? 0);
  if (ctx.now() - last < RELOAD_MS) return false;
  if (reloads.size >= RELOADS_REMEMBERED) reloads.clear();
  reloads.set(id, ctx.now());
  return true;
}

interface Opened {
  connection: OpenConnection;
  webhook: ChannelWebhook;
  published: PublishedConnection;
}

async function open(ctx: BaseCtx, published: PublishedConnection | null): Promise<Opened | null> {
  const webhook = published === null ? undefined : channelOf(published.provider)?.webhook;
  if (published === null || webhook === undefined) return null;
  return { connection: await openConnection(ctx, published), webhook, published };
}

const unauthorized = () =>
  new AppError("unauthorized", "There is no such webhook, or this is not signed with its key.");

/** The shape of a connection's id. What has another is unknown without any lookup; KV fails on keys over 512 bytes. */
const CONNECTION_ID = /^conn_[0-9a-z]{26}$/;

/**
 * Finds the connection that `accepts` the request: as KV knows it, else as D1 does. D1 is asked when KV knows nothing, and at
 * most once a minute when it knows something that does not fit. `mayLookUp` may throw to spare D1 an unknown caller.
 */
async function admit(
  ctx: BaseCtx,
  id: string,
  accepts: (opened: Opened) => Promise<boolean>,
  mayLookUp: () => Promise<void>,
): Promise<Opened> {
  if (!CONNECTION_ID.test(id)) throw unauthorized();
  const cached = await findPublished(ctx, id);
  const known = cached === null || hasOwn(cached, "withdrawn") ? null : await open(ctx, cached);
  if (known !== null && (await accepts(known))) return known;
  if (cached !== null && !mayReload(ctx, id, cached.loadedAt)) throw unauthorized();
  if (cached === null) await mayLookUp();
  const loaded = await open(ctx, await loadPublished(ctx, id));
  if (loaded === null || !(await accepts(loaded))) throw unauthorized();
  return loaded;
}

interface Caller {
  connectionId: string;
  mayLookUp(): Promise<void>;
}

/** Answers a provider that asks whether this address is ours. Throws `unauthorized`. */
export async function answerChallenge(
  ctx: BaseCtx,
  { connectionId, mayLookUp }: Caller,
  query: Record<string, string>,
): Promise<string> {
  let answer: string | null = null;
  await admit(
    ctx,
    connectionId,
    async ({ connection, webhook }) => {
      answer = await webhook.challenge(connection, query);
      return answer !== null;
    },
    mayLookUp,
  );
  return answer ?? "";
}

/**
 * Checks a delivery's signature and hands its events to the queue; gives how many. Throws `unauthorized`, and `unavailable`
 * unless the queue took all of them: the provider then delivers them again, and events are idempotent.
 */
export async function acceptDelivery(
  ctx: BaseCtx,
  { connectionId, mayLookUp }: Caller,
  { bytes, headers }: { bytes: Uint8Array; headers: Headers },
): Promise<number> {
  const signed = ({ connection, webhook }: Opened) => webhook.verify(connection, bytes, headers);
  const { connection, webhook, published } = await admit(ctx, connectionId, signed, mayLookUp);
  const events = webhook.parse(connection, new TextDecoder().decode(bytes), ctx.now());
  const { workspace } = published;
  try {
    await ctx.queues.events(bundleEvents(events).map((bundle) => ({ v: 1, workspace, connectionId, ...bundle })));
  } catch (error) {
    log.error("events_not_queued", { requestId: ctx.requestId, connectionId, count: events.length, error });
    throw new AppError("unavailable", "The events could not be taken. Deliver them again.", null, 5);
  }
  return events.length;
}
