import { controlDatabase, shardCount, shardDatabase } from "../db/client.ts";
import type { Actor } from "../shared/actor.ts";
import type { BaseCtx, Enqueue } from "../shared/context.ts";
import { createSecretBox } from "../shared/crypto.ts";
import { createIds } from "../shared/ids.ts";
import { log } from "../shared/logger.ts";
import { createGate, createUpstream } from "../shared/upstream.ts";

/** Queues take 100 messages and 256 KB at a time; a little is left for the envelope of each. */
const BATCH = 100;
const BATCH_BYTES = 240_000;

const encoder = new TextEncoder();

/** Cuts messages into batches that a queue takes. */
function batchesOf(messages: object[]): object[][] {
  const batches: object[][] = [];
  let room = 0;
  for (const message of messages) {
    const bytes = messages.length === 1 ? 0 : encoder.encode(JSON.stringify(message)).length + 100;
    const open = batches.at(-1);
    if (open === undefined || open.length === BATCH || bytes > room) {
      batches.push([message]);
      room = BATCH_BYTES - bytes;
    } else {
      open.push(message);
      room -= bytes;
    }
  }
  return batches;
}

const enqueueTo =
  (queue: Queue): Enqueue =>
  async (messages, { delayMs = 0 } = {}) => {
    const delaySeconds = Math.ceil(delayMs / 1000);
    for (const batch of batchesOf(messages)) await queue.sendBatch(batch.map((body) => ({ body, delaySeconds })));
  };

interface Work {
  /** Made here where the work has none yet. */
  requestId?: string;
  actor: Actor;
  waitUntil(work: Promise<unknown>): void;
}

/** The context of one request or job, from the bindings. */
export function createBaseCtx(env: Env, { requestId: givenId, actor, waitUntil }: Work): BaseCtx {
  const now = () => Date.now();
  const requestId = givenId ?? crypto.randomUUID();
  const allowPrivateUpstreams = env.ALLOW_PRIVATE_UPSTREAMS === "true";
  const out = {
    allowPrivate: allowPrivateUpstreams,
    fetcher: (...call: Parameters<typeof fetch>) => fetch(...call),
    gate: createGate(),
  };
  const secret = { current: env.ENCRYPTION_KEY, previous: env.ENCRYPTION_KEY_PREVIOUS };
  return {
    requestId,
    actor,
    control: controlDatabase(env),
    shardCount: shardCount(env),
    shard: (index) => shardDatabase(env, index),
    now,
    newId: createIds(now),
    random: () => Math.random(),
    queues: {
      direct: enqueueTo(env.DIRECT_QUEUE),
      expand: enqueueTo(env.EXPAND_QUEUE),
      events: enqueueTo(env.EVENTS_QUEUE),
    },
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
    upstream: createUpstream(out),
    upstreamWhile: (isOpen) => createUpstream({ ...out, isOpen }),
    allowPrivateUpstreams,
    secrets: createSecretBox(secret),
    keySecret: secret,
    wait: (ms) => scheduler.wait(ms),
    waitUntil: (work) =>
      waitUntil(work.catch((error: unknown) => log.error("background_work_failed", { requestId, error }))),
  };
}
