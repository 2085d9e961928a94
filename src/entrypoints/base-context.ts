import { controlDatabase, shardCount, shardDatabase, sharedShardDatabase } from "../db/client.ts";
import type { Actor } from "../shared/access/actor.ts";
import type { BaseCtx, Database, Enqueue, QueueBacklog } from "../shared/context.ts";
import { packByBytes } from "../shared/chunks.ts";
import { createSecretBox } from "../shared/security/crypto.ts";
import { createIds, preferIds } from "../shared/ids.ts";
import { log } from "../shared/logger.ts";
import { isSendingOn } from "../shared/sending.ts";
import { jsonBytes } from "../shared/text/text.ts";
import { createDownload, createGate, createUpstream } from "../shared/network/upstream.ts";

/**
 * Queues accept 100 messages and 256 KB per call. The limit in bytes is lower, because each message also has an
 * envelope.
 */
const BATCH = 100;
const BATCH_BYTES = 240_000;

const batchesOf = (messages: object[]): object[][] =>
  messages.length === 1
    ? [messages]
    : packByBytes(messages, {
        maxItems: BATCH,
        maxBytes: BATCH_BYTES,
        bytesOf: (message) => jsonBytes(message) + 100,
      });

const enqueueTo =
  (queue: Queue): Enqueue =>
  async (messages, { delayMs = 0 } = {}) => {
    const delaySeconds = Math.ceil(delayMs / 1000);
    for (const batch of batchesOf(messages)) await queue.sendBatch(batch.map((body) => ({ body, delaySeconds })));
  };

async function backlogOf(queue: Queue): Promise<QueueBacklog> {
  const { backlogCount: messages, oldestMessageTimestamp } = await queue.metrics();
  return { messages, oldestAt: messages > 0 && oldestMessageTimestamp ? Number(oldestMessageTimestamp) : null };
}

const backlogsOf = (env: Env): ReturnType<BaseCtx["backlogs"]> => [
  ["direct", () => backlogOf(env.DIRECT_QUEUE)],
  ["campaign", () => backlogOf(env.CAMPAIGN_QUEUE)],
  ["expand", () => backlogOf(env.EXPAND_QUEUE)],
  ["events", () => backlogOf(env.EVENTS_QUEUE)],
  ["statuses", () => backlogOf(env.STATUSES_QUEUE)],
  ["media", () => backlogOf(env.MEDIA_QUEUE)],
  ["jobs", () => backlogOf(env.JOBS_QUEUE)],
  ["usage", () => backlogOf(env.USAGE_QUEUE)],
];

export const newRequestId = (): string => crypto.randomUUID();

interface Work {
  requestId?: string;
  actor: Actor;
  chosenIds?: string[] | undefined;
  signal?: AbortSignal;
  waitUntil(work: Promise<unknown>): void;
}

export function createBaseCtx(
  env: Env,
  { requestId: givenId, actor, chosenIds = [], signal, waitUntil }: Work,
): BaseCtx {
  const now = () => Date.now();
  const requestId = givenId ?? newRequestId();
  const allowPrivateUpstreams = env.ALLOW_PRIVATE_UPSTREAMS === "true";
  const out = {
    allowPrivate: allowPrivateUpstreams,
    fetcher: (...call: Parameters<typeof fetch>) => fetch(...call),
    gate: createGate(),
  };
  const inBackground = (task: Promise<unknown>) =>
    waitUntil(task.catch((error: unknown) => log.error("background_work_failed", { requestId, error })));
  const wakeable = { feed: env.EVENT_FEED, webhook: env.WEBHOOK_SENDER, live: env.LIVE_UPDATES };
  const wake: Database["wake"] = (objects) => {
    for (const [kind, name] of objects) inBackground(wakeable[kind].getByName(name).wake());
  };
  const sharedShards = new Map<number, Database>();
  const secret = { current: env.ENCRYPTION_KEY, previous: env.ENCRYPTION_KEY_PREVIOUS };
  return {
    requestId,
    actor,
    control: controlDatabase(env),
    shardCount: shardCount(env),
    shard: (index) => shardDatabase(env, index, wake),
    sharedShard(index) {
      const shared = sharedShards.get(index) ?? sharedShardDatabase(env, index, wake);
      sharedShards.set(index, shared);
      return shared;
    },
    now,
    newId: preferIds(chosenIds, createIds(now)),
    random: () => Math.random(),
    queues: {
      direct: enqueueTo(env.DIRECT_QUEUE),
      expand: enqueueTo(env.EXPAND_QUEUE),
      events: enqueueTo(env.EVENTS_QUEUE),
      statuses: enqueueTo(env.STATUSES_QUEUE),
      media: enqueueTo(env.MEDIA_QUEUE),
      jobs: enqueueTo(env.JOBS_QUEUE),
    },
    backlogs: () => backlogsOf(env),
    cache: {
      get: (key) => env.CACHE.get(key, "json"),
      put: (key, value, options) =>
        env.CACHE.put(key, JSON.stringify(value), options === undefined ? {} : { expirationTtl: options.ttlSeconds }),
    },
    bucket: env.MEDIA,
    limiters: env.KEY_LIMITER,
    pacers: env.CONNECTION_PACER,
    clocks: env.CAMPAIGN_CLOCK,
    scanTurns: env.SCAN_TURNS,
    eventFeeds: env.EVENT_FEED,
    webhookSenders: env.WEBHOOK_SENDER,
    requestLogs: env.REQUEST_LOG,
    liveUpdates: env.LIVE_UPDATES,
    statusInboxes: env.STATUS_INBOX,
    upstream: createUpstream(out),
    download: createDownload(out),
    upstreamWhile: (isOpen) => createUpstream({ ...out, isOpen }),
    allowPrivateUpstreams,
    fastPasswords: env.FAST_PASSWORDS === "true",
    requestLogDelayMs: Number(env.REQUEST_LOG_DELAY_MS || "1000"),
    statusFlushMs: Number(env.STATUS_FLUSH_MS || "150"),
    publicUrl: env.PUBLIC_URL === "" ? null : env.PUBLIC_URL.replace(/\/+$/, ""),
    sends: isSendingOn(env),
    version: env.CF_VERSION_METADATA,
    secrets: createSecretBox(secret),
    keySecret: secret,
    signal: signal ?? null,
    wait: (ms) => scheduler.wait(ms),
    waitUntil: inBackground,
  };
}
