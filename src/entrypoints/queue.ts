import { recordUsage } from "../features/api-keys/api-keys.jobs.ts";
import { consumeGrant } from "../features/campaigns/lease/send-lease.ts";
import { consumeAdvanceJob } from "../features/campaigns/run/advance-campaign.ts";
import { consumeJobs } from "../features/contacts/bulk/run-bulk.ts";
import { storeGivenUpEvent, consumeEvents, storeFailedEvent } from "../features/inbound/inbound.jobs.ts";
import { runFetchMediaJob } from "../features/media/store/fetch-media.ts";
import { runDeliverThreadJob } from "../features/messages/deliver/deliver-thread.ts";
import type { BaseCtx } from "../shared/context.ts";
import { chunksOf } from "../shared/chunks.ts";
import { isDatabaseFull, isPlatformFailure } from "../shared/errors.ts";
import { log } from "../shared/logger.ts";
import { createBaseCtx } from "./base-context.ts";
import { isConfigured } from "./configuration.ts";
import { isSetAside, retryDelaySeconds } from "./retries.ts";

type Consumer = (base: BaseCtx, messages: readonly Pick<Message, "body" | "timestamp">[]) => Promise<void>;

interface Policy {
  consume: Consumer;
  together: number;
  /** Stores a failing message for the operator, so that it is not retried for days. */
  setAside?: (base: BaseCtx, body: unknown, at: number) => Promise<void>;
}

/** Consumes six groups of messages at once, because a Worker can have six open connections. */
const AT_ONCE = 6;

const all =
  (consume: (base: BaseCtx, bodies: readonly unknown[]) => Promise<void>): Consumer =>
  (base, messages) =>
    consume(
      base,
      messages.map(({ body }) => body),
    );

const oneByOne =
  (consume: (base: BaseCtx, body: unknown, at: number) => Promise<void>): Consumer =>
  async (base, messages) => {
    for (const { body, timestamp } of messages) await consume(base, body, timestamp.getTime());
  };

/** Drops queue messages that failed. The cron finds the rows to which they point, and repeats the work. */
const dropPointers: Consumer = (base, messages) => {
  log.error("pointers_dropped", { requestId: base.requestId, count: messages.length });
  return Promise.resolve();
};

/** Each key is the end of a queue's name, because the start of the name differs between deployments. */
const policies: Record<string, Policy> = {
  direct: { consume: oneByOne(runDeliverThreadJob), together: 1 },
  "direct-dead": { consume: dropPointers, together: 100 },
  campaign: { consume: oneByOne(consumeGrant), together: 1 },
  "campaign-dead": { consume: dropPointers, together: 100 },
  expand: { consume: oneByOne(consumeAdvanceJob), together: 1 },
  "expand-dead": { consume: dropPointers, together: 100 },
  events: { consume: all(consumeEvents), together: 100, setAside: storeFailedEvent },
  "events-dead": { consume: oneByOne(storeGivenUpEvent), together: 1 },
  statuses: { consume: all(consumeEvents), together: 100, setAside: storeFailedEvent },
  "statuses-dead": { consume: oneByOne(storeGivenUpEvent), together: 1 },
  media: { consume: oneByOne(runFetchMediaJob), together: 1 },
  "media-dead": { consume: dropPointers, together: 100 },
  jobs: { consume: oneByOne(consumeJobs), together: 1 },
  "jobs-dead": { consume: dropPointers, together: 100 },
  usage: { consume: all(recordUsage), together: 100 },
};

function policyOf(queueName: string): Policy {
  const kind = Object.keys(policies).find((each) => queueName.endsWith(`-${each}`));
  const policy = kind === undefined ? undefined : policies[kind];
  if (policy === undefined) throw new Error(`Queue ${queueName} has no consumer.`);
  return policy;
}

async function settleFailed(base: BaseCtx, name: string, message: Message, error: unknown): Promise<void> {
  const { id: messageId, attempts, body } = message;
  const { setAside } = policyOf(name);
  const fields = { queue: name, messageId, attempts, error };
  if (isDatabaseFull(error)) log.error("database_full", fields);
  else log.error("queue_message_failed", fields);
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
  const policy = policyOf(batch.queue);
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
