import { controlDatabase, shardCount, shardDatabase } from "../db/client.ts";
import type { Actor, BaseCtx, Enqueue } from "../shared/context.ts";
import { createSecretBox } from "../shared/crypto.ts";
import { createIds } from "../shared/ids.ts";
import { log } from "../shared/logger.ts";

const BATCH = 100;

const enqueueTo =
  (queue: Queue): Enqueue =>
  async (messages, { delayMs = 0 } = {}) => {
    const delaySeconds = Math.ceil(delayMs / 1000);
    for (let start = 0; start < messages.length; start += BATCH) {
      await queue.sendBatch(messages.slice(start, start + BATCH).map((body) => ({ body, delaySeconds })));
    }
  };

interface Work {
  requestId: string;
  actor: Actor;
  waitUntil(work: Promise<unknown>): void;
}

/** The context of one request or job, from the bindings. */
export function createBaseCtx(env: Env, { requestId, actor, waitUntil }: Work): BaseCtx {
  const now = () => Date.now();
  const secret = { current: env.ENCRYPTION_KEY, previous: env.ENCRYPTION_KEY_PREVIOUS };
  return {
    requestId,
    actor,
    control: controlDatabase(env),
    shardCount: shardCount(env),
    shard: (index) => shardDatabase(env, index),
    now,
    newId: createIds(now),
    queues: { direct: enqueueTo(env.DIRECT_QUEUE), events: enqueueTo(env.EVENTS_QUEUE) },
    cache: {
      get: (key) => env.CACHE.get(key, "json"),
      put: (key, value) => env.CACHE.put(key, JSON.stringify(value)),
    },
    limiters: env.KEY_LIMITER,
    pacers: env.CONNECTION_PACER,
    secrets: createSecretBox(secret),
    keySecret: secret,
    wait: (ms) => scheduler.wait(ms),
    waitUntil: (work) =>
      waitUntil(work.catch((error: unknown) => log.error("background_work_failed", { requestId, error }))),
  };
}
