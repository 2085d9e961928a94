import type { ChannelWebhook, OpenConnection } from "../../channels/channel.ts";
import { queueEvents } from "../../channels/queue-events.ts";
import { loadChannel } from "../../channels/registry.ts";
import type { BaseCtx } from "../../shared/context.ts";
import { MINUTE_MS } from "../../shared/time/durations.ts";
import { AppError } from "../../shared/errors.ts";
import { log } from "../../shared/logger.ts";
import { Memo } from "../../shared/memo.ts";
import { openConnection } from "../connections/open-connection.ts";
import { findPublished, loadPublished, type PublishedConnection } from "../connections/publish-connection.ts";
import { hasOwn } from "../../shared/security/own.ts";

/** A wrong signature causes a D1 query only if the cached settings of the connection are at least this old. */
const RELOAD_MS = MINUTE_MS;

/** Connections that this isolate has recently loaded from D1, because the load time in KV might be out of date. */
const reloaded = new Memo<true>(10_000, RELOAD_MS);

function mayReload(ctx: BaseCtx, id: string, loadedAt: number): boolean {
  const now = ctx.now();
  if (now - loadedAt < RELOAD_MS || reloaded.get(id, now) === true) return false;
  return reloaded.set(id, true, now);
}

interface WebhookTarget {
  connection: OpenConnection;
  webhook: ChannelWebhook;
  published: PublishedConnection;
}

async function openTarget(ctx: BaseCtx, published: PublishedConnection | null): Promise<WebhookTarget | null> {
  if (published === null) return null;
  const webhook = (await loadChannel(published.provider))?.webhook;
  if (webhook === undefined) return null;
  return { connection: await openConnection(ctx, published), webhook, published };
}

const unauthorized = () =>
  new AppError("unauthorized", "The webhook does not exist, or the signature does not match its key.");

/** Other ids are rejected without a look-up, because KV throws for keys over 512 bytes. */
const CONNECTION_ID = /^conn_[0-9a-z]{26}$/;

interface WebhookCaller {
  connectionId: string;
  /** Throws if this caller must not cause another D1 query. */
  mayLookUp(): Promise<void>;
}

/**
 * Reads the settings from KV. Reads D1 if KV has no settings, or at most once a minute if `isGenuine` rejects the settings from
 * KV. Throws `unauthorized`.
 */
async function authenticateWebhook(
  ctx: BaseCtx,
  { connectionId, mayLookUp }: WebhookCaller,
  isGenuine: (target: WebhookTarget) => Promise<boolean>,
): Promise<WebhookTarget> {
  if (!CONNECTION_ID.test(connectionId)) throw unauthorized();
  const cached = await findPublished(ctx, connectionId);
  const target = cached === null || hasOwn(cached, "withdrawn") ? null : await openTarget(ctx, cached);
  if (target !== null && (await isGenuine(target))) return target;
  if (cached !== null && !mayReload(ctx, connectionId, cached.loadedAt)) throw unauthorized();
  if (cached === null) await mayLookUp();
  const loaded = await openTarget(ctx, await loadPublished(ctx, connectionId));
  if (loaded === null || !(await isGenuine(loaded))) throw unauthorized();
  return loaded;
}

export async function answerChallenge(
  ctx: BaseCtx,
  caller: WebhookCaller,
  query: Record<string, string>,
): Promise<string> {
  let answer: string | null = null;
  await authenticateWebhook(ctx, caller, async ({ connection, webhook }) => {
    answer = await webhook.challenge(connection, query);
    return answer !== null;
  });
  return answer ?? "";
}

/**
 * Returns the number of queued events. Throws `unauthorized`. Throws `unavailable` if an event cannot be queued; the provider
 * then retries, and events can be applied twice.
 */
export async function acceptWebhook(
  ctx: BaseCtx,
  caller: WebhookCaller,
  { bytes, headers }: { bytes: Uint8Array; headers: Headers },
): Promise<number> {
  const { connection, webhook, published } = await authenticateWebhook(ctx, caller, (target) =>
    target.webhook.verify(target.connection, bytes, headers),
  );
  const events = webhook.parse(connection, new TextDecoder().decode(bytes), ctx.now());
  const { workspace } = published;
  const { connectionId } = caller;
  try {
    await queueEvents(ctx, { workspace, connectionId }, events);
  } catch (error) {
    log.error("events_not_queued", { requestId: ctx.requestId, connectionId, count: events.length, error });
    throw new AppError("unavailable", "The events could not be stored. Deliver them again.", null, 5);
  }
  return events.length;
}
