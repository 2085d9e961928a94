import type { ChannelEvent, StatusEvent } from "../../channels/channel-events.ts";
import type { ChannelWebhook, OpenConnection } from "../../channels/channel.ts";
import { queueEvents } from "../../channels/queue-events.ts";
import { loadChannel } from "../../channels/registry.ts";
import type { BaseCtx } from "../../shared/context.ts";
import { MINUTE_MS } from "../../shared/time/durations.ts";
import { AppError, askObject } from "../../shared/errors.ts";
import { log } from "../../shared/logger.ts";
import { Memo } from "../../shared/memo.ts";
import { openConnection } from "../connections/open-connection.ts";
import {
  findOpened,
  findPublished,
  keepOpened,
  loadPublished,
  type PublishedConnection,
} from "../connections/publish-connection.ts";
import { fitsInbox, inboxName } from "./status-blocks.ts";
import { hasOwn } from "../../shared/security/own.ts";

/**
 * If a signature is wrong, the secret might have changed, so the settings are read from D1 again. To limit these
 * queries, this happens only if the cached settings are at least this old.
 */
const RELOAD_MS = MINUTE_MS;

/**
 * Connections that this isolate has read from D1 within `RELOAD_MS` and therefore does not read again. `loadedAt` alone
 * is not enough for this, because KV can still return the old entry after a reload.
 */
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

async function findRecentTarget(ctx: BaseCtx, id: string): Promise<WebhookTarget | null> {
  const opened = findOpened(ctx, id);
  const webhook = opened && (await loadChannel(opened.published.provider))?.webhook;
  return opened && webhook ? { ...opened, webhook } : null;
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

type IsGenuine = (target: WebhookTarget) => Promise<boolean>;

/**
 * First uses the settings that this isolate has recently opened. If `isGenuine` rejects them, reads the stored
 * settings. Throws `unauthorized`.
 */
async function authenticateWebhook(ctx: BaseCtx, caller: WebhookCaller, isGenuine: IsGenuine): Promise<WebhookTarget> {
  if (!CONNECTION_ID.test(caller.connectionId)) throw unauthorized();
  const recent = await findRecentTarget(ctx, caller.connectionId);
  if (recent !== null && (await isGenuine(recent))) return recent;
  const target = await authenticateByStored(ctx, caller, isGenuine);
  keepOpened(ctx, target);
  return target;
}

/**
 * Reads the settings from KV. If KV has none, reads D1. If `isGenuine` rejects the settings from KV, reads D1 at most
 * once a minute. Throws `unauthorized`.
 */
async function authenticateByStored(
  ctx: BaseCtx,
  { connectionId, mayLookUp }: WebhookCaller,
  isGenuine: IsGenuine,
): Promise<WebhookTarget> {
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
 * Sends statuses to an inbox, a Durable Object that applies many statuses of the connection in one batch. Returns false
 * if the caller must use the queue.
 */
async function offerToInbox(ctx: BaseCtx, published: PublishedConnection, statuses: StatusEvent[]): Promise<boolean> {
  if (!fitsInbox(statuses)) return false;
  const { id: connectionId, workspace, messagesPerSecond } = published;
  const name = inboxName(connectionId, messagesPerSecond, statuses);
  try {
    await askObject(() =>
      ctx.statusInboxes.getByName(name).accept({ v: 1, workspace, connectionId, events: statuses }),
    );
    return true;
  } catch (error) {
    log.error("status_inbox_failed", { requestId: ctx.requestId, connectionId, count: statuses.length, error });
    return false;
  }
}

async function storeEvents(ctx: BaseCtx, published: PublishedConnection, events: ChannelEvent[]): Promise<void> {
  const statuses = events.filter((event) => event.type === "status");
  const isTaken = await offerToInbox(ctx, published, statuses);
  const others = isTaken ? events.filter((event) => event.type !== "status") : events;
  await queueEvents(ctx, { workspace: published.workspace, connectionId: published.id }, others);
}

/**
 * Returns the number of stored events. Throws `unauthorized`. Throws `unavailable` if an event cannot be stored. The
 * provider then sends all events again, so some can be applied twice.
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
  const { connectionId } = caller;
  try {
    await storeEvents(ctx, published, events);
  } catch (error) {
    log.error("events_not_queued", { requestId: ctx.requestId, connectionId, count: events.length, error });
    throw new AppError("unavailable", "The events could not be stored. Deliver them again.", null, 5);
  }
  return events.length;
}
