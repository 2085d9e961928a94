import { recordUsage } from "../features/api-keys/api-keys.jobs.ts";
import { useGrant, wakeUp } from "../features/campaigns/campaigns.jobs.ts";
import { buryEvent, consumeEvents } from "../features/inbound/inbound.jobs.ts";
import { deliverPointer } from "../features/messages/messages.jobs.ts";
import type { BaseCtx } from "../shared/context.ts";
import { log } from "../shared/logger.ts";
import { createBaseCtx } from "./base-context.ts";

/** Works off bodies of one queue together; throws when any of them failed. */
type Consumer = (base: BaseCtx, bodies: readonly unknown[]) => Promise<void>;

/** Providers and platform allow six connections at a time. */
const AT_ONCE = 6;

const each =
  (consume: (base: BaseCtx, body: unknown) => Promise<void>): Consumer =>
  async (base, bodies) => {
    for (const body of bodies) await consume(base, body);
  };

const dropPointer: Consumer = (base, bodies) => {
  log.error("pointers_dropped", { requestId: base.requestId, count: bodies.length });
  return Promise.resolve();
};

/** `together`: how many messages one call of the consumer takes. */
const consumers: Record<string, { consume: Consumer; together: number }> = {
  "tidings-direct": { consume: each(deliverPointer), together: 1 },
  // The sweep finds the rows that these pointed to.
  "tidings-direct-dead": { consume: dropPointer, together: 100 },
  "tidings-campaign": { consume: each(useGrant), together: 1 },
  // A grant that is lost is a slot that is lost; the cron finds the campaigns and what leases left behind.
  "tidings-campaign-dead": { consume: dropPointer, together: 100 },
  "tidings-expand": { consume: each(wakeUp), together: 1 },
  "tidings-expand-dead": { consume: dropPointer, together: 100 },
  "tidings-events": { consume: consumeEvents, together: 100 },
  "tidings-events-dead": { consume: each(buryEvent), together: 1 },
  "tidings-usage": { consume: recordUsage, together: 100 },
};

function chunk<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

const backoffSeconds = (attempts: number) => Math.min(600, 2 ** attempts);

/** One policy: what was worked off is acknowledged; of what failed together, each is tried alone; what fails alone is retried later. */
async function settle(base: BaseCtx, name: string, consume: Consumer, messages: readonly Message[]): Promise<void> {
  try {
    await consume(
      base,
      messages.map(({ body }) => body),
    );
    for (const message of messages) message.ack();
  } catch (error) {
    const [only, ...others] = messages;
    if (only !== undefined && others.length === 0) {
      log.error("queue_message_failed", { queue: name, messageId: only.id, attempts: only.attempts, error });
      only.retry({ delaySeconds: backoffSeconds(only.attempts) });
      return;
    }
    for (const message of messages) await settle(base, name, consume, [message]);
  }
}

export async function queue(batch: MessageBatch, env: Env, ctx: ExecutionContext): Promise<void> {
  const consumer = consumers[batch.queue];
  if (consumer === undefined) throw new Error(`Queue ${batch.queue} has no consumer.`);
  const waitUntil = (work: Promise<unknown>) => ctx.waitUntil(work);
  const base = createBaseCtx(env, { requestId: crypto.randomUUID(), actor: { type: "system" }, waitUntil });
  for (const round of chunk(chunk(batch.messages, consumer.together), AT_ONCE)) {
    await Promise.all(round.map((messages) => settle(base, batch.queue, consumer.consume, messages)));
  }
}
