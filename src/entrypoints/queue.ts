import { recordUsage } from "../features/api-keys/api-keys.jobs.ts";
import { consumeGrant, consumeAdvanceJob } from "../features/campaigns/campaigns.jobs.ts";
import { consumeJobs } from "../features/contacts/bulk/bulk.jobs.ts";
import { storeGivenUpEvent, consumeEvents, storeFailedEvent } from "../features/inbound/inbound.jobs.ts";
import { runFetchMediaJob } from "../features/media/store/fetch-media.ts";
import { runDeliverThreadJob } from "../features/messages/messages.jobs.ts";
import type { BaseCtx } from "../shared/context.ts";
import { chunksOf } from "../shared/chunks.ts";
import { isPlatformFailure } from "../shared/errors.ts";
import { log } from "../shared/logger.ts";
import { createBaseCtx } from "./base-context.ts";
import { isConfigured } from "./configuration.ts";
import { isSetAside, retryDelaySeconds } from "./retries.ts";

/** Processes messages of one queue together; throws if any of them failed. */
type Consumer = (base: BaseCtx, messages: readonly Pick<Message, "body" | "timestamp">[]) => Promise<void>;

interface Policy {
  consume: Consumer;
  /** Messages per call of the consumer. */
  together: number;
  /** Sets aside a message that fails while the platform works, so that people see it soon. */
  setAside?: (base: BaseCtx, body: unknown, at: number) => Promise<void>;
}

/** Providers and platform allow six connections at a time. */
const AT_ONCE = 6;

const all =
  (consume: (base: BaseCtx, bodies: readonly unknown[]) => Promise<void>): Consumer =>
  (base, messages) =>
    consume(
      base,
      messages.map(({ body }) => body),
    );

const each =
  (consume: (base: BaseCtx, body: unknown, at: number) => Promise<void>): Consumer =>
  async (base, messages) => {
    for (const { body, timestamp } of messages) await consume(base, body, timestamp.getTime());
  };

const dropPointers: Consumer = (base, messages) => {
  log.error("pointers_dropped", { requestId: base.requestId, count: messages.length });
  return Promise.resolve();
};

const policies: Record<string, Policy> = {
  "tidings-direct": { consume: each(runDeliverThreadJob), together: 1 },
  // The sweep finds the rows of lost messages.
  "tidings-direct-dead": { consume: dropPointers, together: 100 },
  "tidings-campaign": { consume: each(consumeGrant), together: 1 },
  // A lost grant is a lost slot; the cron finds the campaigns and leftovers of leases.
  "tidings-campaign-dead": { consume: dropPointers, together: 100 },
  "tidings-expand": { consume: each(consumeAdvanceJob), together: 1 },
  "tidings-expand-dead": { consume: dropPointers, together: 100 },
  "tidings-events": { consume: all(consumeEvents), together: 100, setAside: storeFailedEvent },
  "tidings-events-dead": { consume: each(storeGivenUpEvent), together: 1 },
  "tidings-statuses": { consume: all(consumeEvents), together: 100, setAside: storeFailedEvent },
  "tidings-statuses-dead": { consume: each(storeGivenUpEvent), together: 1 },
  "tidings-media": { consume: each(runFetchMediaJob), together: 1 },
  // The sweep finds the files of lost messages.
  "tidings-media-dead": { consume: dropPointers, together: 100 },
  "tidings-jobs": { consume: each(consumeJobs), together: 1 },
  // The sweep finds the workspaces of lost messages.
  "tidings-jobs-dead": { consume: dropPointers, together: 100 },
  "tidings-usage": { consume: all(recordUsage), together: 100 },
};

/** Handles one failed message: sets it aside if it is due for that, else retries it later. */
async function settleFailed(base: BaseCtx, name: string, message: Message, error: unknown): Promise<void> {
  const { id: messageId, attempts, body } = message;
  const setAside = policies[name]?.setAside;
  log.error("queue_message_failed", { queue: name, messageId, attempts, error });
  if (setAside !== undefined && isSetAside(attempts, isPlatformFailure(error))) {
    try {
      await setAside(base, body, base.now());
      message.ack();
      return;
    } catch (failure) {
      log.error("queue_message_not_set_aside", { queue: name, messageId, attempts, error: failure });
    }
  }
  message.retry({ delaySeconds: retryDelaySeconds(attempts) });
}

/** Processed messages are acknowledged. Messages that failed together are then tried one by one. */
async function settle(base: BaseCtx, name: string, consume: Consumer, messages: readonly Message[]): Promise<void> {
  try {
    await consume(base, messages);
    for (const message of messages) message.ack();
  } catch (error) {
    const [only, ...others] = messages;
    if (only !== undefined && others.length === 0) return settleFailed(base, name, only, error);
    for (const message of messages) await settle(base, name, consume, [message]);
  }
}

export async function queue(batch: MessageBatch, env: Env, ctx: ExecutionContext): Promise<void> {
  const policy = policies[batch.queue];
  if (policy === undefined) throw new Error(`Queue ${batch.queue} has no consumer.`);
  if (!isConfigured(env)) {
    for (const message of batch.messages) message.retry({ delaySeconds: retryDelaySeconds(message.attempts) });
    return;
  }
  const waitUntil = (work: Promise<unknown>) => ctx.waitUntil(work);
  const base = createBaseCtx(env, { actor: { type: "system" }, waitUntil });
  for (const round of chunksOf(chunksOf(batch.messages, policy.together), AT_ONCE)) {
    await Promise.all(round.map((messages) => settle(base, batch.queue, policy.consume, messages)));
  }
}
