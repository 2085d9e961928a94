import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test";
import { env as bindings } from "cloudflare:workers";
import worker from "../../src/index.ts";
import { override } from "./override.ts";

export interface HeldMessage {
  id: string;
  queue: string;
  body: unknown;
  sentAt: number;
  dueAt: number;
  attempts: number;
}

const MESSAGE_BYTES = 128_000;

function consumerOf(name: string): { batchSize: number; maxRetries: number } {
  const consumer = bindings.TEST_CONSUMERS.find(({ queue }) => queue === name);
  return { batchSize: consumer?.max_batch_size ?? 10, maxRetries: consumer?.max_retries ?? 3 };
}

/** Records the delays in seconds that a consumer passes to `retry`, because a batch's result has no delays. */
export function noteDelays(batch: MessageBatch): Map<string, number> {
  const delays = new Map<string, number>();
  for (const message of batch.messages) {
    const { retry } = message;
    const noted = (options?: QueueRetryOptions) => {
      delays.set(message.id, options?.delaySeconds ?? 0);
      Reflect.apply(retry, message, [options]);
    };
    Object.defineProperty(message, "retry", { value: noted });
  }
  return delays;
}

/** Messages wait here until the test delivers them through the Worker's own queue handler. */
export class HeldQueues {
  readonly messages: HeldMessage[] = [];
  private count = 0;

  binding(queue: string): Queue {
    const hold = (body: unknown, delaySeconds = 0) => {
      const json = JSON.stringify(body);
      if (json.length > MESSAGE_BYTES) throw new Error("A queue message may hold 128 KB at most.");
      const dueAt = Date.now() + delaySeconds * 1000;
      this.accept({ id: `m${this.count++}`, queue, body: JSON.parse(json), sentAt: Date.now(), dueAt, attempts: 0 });
    };
    const metadata = { metrics: { backlogCount: 0, backlogBytes: 0 } };
    return {
      send: (body: unknown, options?: QueueSendOptions) => {
        hold(body, options?.delaySeconds);
        return Promise.resolve({ metadata });
      },
      sendBatch: (batch: Iterable<MessageSendRequest>) => {
        const requests = [...batch];
        if (requests.length > 100) throw new Error("A batch may hold 100 messages at most.");
        for (const { body, delaySeconds } of requests) hold(body, delaySeconds);
        return Promise.resolve({ metadata });
      },
      metrics: () => Promise.resolve(metadata.metrics),
    };
  }

  protected accept(message: HeldMessage): void {
    this.messages.push(message);
  }

  protected batchSizeOf(queue: string): number {
    return consumerOf(queue).batchSize;
  }

  protected arrange(due: HeldMessage[]): HeldMessage[] {
    return due;
  }

  protected take(queue: string): HeldMessage[] {
    const isDue = (message: HeldMessage) => message.queue === queue && message.dueAt <= Date.now();
    const { true: due = [], false: others = [] } = Object.groupBy(this.messages, (message) => `${isDue(message)}`);
    const arranged = this.arrange(due);
    const batch = arranged.splice(0, this.batchSizeOf(queue));
    this.messages.length = 0;
    for (const message of others) this.messages.push(message);
    for (const message of arranged) this.messages.push(message);
    return batch;
  }

  /**
   * Delivers due messages `copies` times in a row. A message that fails is delivered again later or becomes a
   * dead letter.
   */
  async deliverDue(env: Env, copies = 1): Promise<number> {
    let delivered = 0;
    for (const queue of new Set(this.messages.map((message) => message.queue))) {
      const messages = this.take(queue);
      if (messages.length === 0) continue;
      delivered += messages.length;
      for (let copy = 0; copy < copies; copy++) await this.deliver(env, queue, messages);
    }
    return delivered;
  }

  protected async deliver(env: Env, queue: string, messages: HeldMessage[]): Promise<void> {
    const delays = await this.invoke(env, queue, messages);
    for (const message of messages) {
      const inMs = delays.get(message.id);
      if (inMs !== undefined) this.returnLater(message, inMs);
    }
  }

  protected async invoke(env: Env, queue: string, messages: HeldMessage[]): Promise<Map<string, number>> {
    const sent = messages.map(({ id, body, sentAt, attempts }) => ({
      id,
      timestamp: new Date(sentAt),
      attempts: attempts + 1,
      body,
    }));
    const batch = createMessageBatch(queue, sent);
    const ctx = createExecutionContext();
    const delays = noteDelays(batch);
    await worker.queue(batch, env, ctx);
    const { retryMessages } = await getQueueResult(batch, ctx);
    return new Map(retryMessages.map(({ msgId }) => [msgId, (delays.get(msgId) ?? 0) * 1000]));
  }

  private returnLater(message: HeldMessage, inMs: number): void {
    const attempts = message.attempts + 1;
    const isGivenUp = attempts > consumerOf(message.queue).maxRetries;
    this.messages.push(
      isGivenUp
        ? { ...message, queue: `${message.queue}-dead`, attempts: 0, sentAt: Date.now(), dueAt: Date.now() }
        : { ...message, attempts, dueAt: Date.now() + inMs },
    );
  }

  nextDueAt(): number | null {
    if (this.messages.length === 0) return null;
    return this.messages.reduce((earliest, { dueAt }) => Math.min(earliest, dueAt), Infinity);
  }
}

/** Settlements go to `take` and not to the events queue. Returns the real queue. */
export function interceptSettlements({ env }: { env: Env }, take: (body: unknown) => void): Env["EVENTS_QUEUE"] {
  const { EVENTS_QUEUE: queue } = env;
  const sendBatch = async (batch: MessageSendRequest[]) => {
    const isSettlement = ({ body }: MessageSendRequest) => Object.hasOwn(Object(body), "settlement");
    batch.filter(isSettlement).forEach(({ body }) => take(body));
    return queue.sendBatch(batch.filter((each) => !isSettlement(each)));
  };
  Object.assign(env, { EVENTS_QUEUE: override(queue, { sendBatch }) });
  return queue;
}

export const refuseSettlements = (world: { env: Env }): unknown =>
  interceptSettlements(world, () => {
    throw new Error("The queue does not answer.");
  });
