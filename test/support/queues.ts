import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test";
import worker from "../../src/index.ts";

export interface HeldMessage {
  id: string;
  queue: string;
  body: unknown;
  /** ms since the epoch. */
  dueAt: number;
  attempts: number;
}

const MAX_RETRIES = 5;
const MESSAGE_BYTES = 128_000;

/** Holds what is sent to the queues until a test has it delivered, through the Worker's own queue handler. */
export class HeldQueues {
  readonly messages: HeldMessage[] = [];
  private count = 0;

  binding(queue: string): Queue {
    const hold = (body: unknown, delaySeconds = 0) => {
      const json = JSON.stringify(body);
      if (json.length > MESSAGE_BYTES) throw new Error("A queue message may hold 128 KB at most.");
      this.push({ queue, body: JSON.parse(json), dueAt: Date.now() + delaySeconds * 1000, attempts: 0 });
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

  private push(message: Omit<HeldMessage, "id">): void {
    this.messages.push({ id: `m${this.count++}`, ...message });
  }

  /** Takes the messages of one queue that are due, a batch of the size queues deliver. */
  private take(queue: string): HeldMessage[] {
    const due = this.messages.filter((message) => message.queue === queue && message.dueAt <= Date.now()).slice(0, 100);
    for (const message of due) this.messages.splice(this.messages.indexOf(message), 1);
    return due;
  }

  /** Delivers what is due now, `copies` times in a row; what asks for a retry comes back later, or goes to the dead letters. */
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

  private async deliver(env: Env, queue: string, messages: HeldMessage[]): Promise<void> {
    const sent = messages.map(({ id, body, attempts }) => ({
      id,
      timestamp: new Date(),
      attempts: attempts + 1,
      body,
    }));
    const batch = createMessageBatch(queue, sent);
    const ctx = createExecutionContext();
    await worker.queue(batch, env, ctx);
    const { retryMessages } = await getQueueResult(batch, ctx);
    for (const { msgId, delaySeconds = 0 } of retryMessages) {
      const message = messages.find(({ id }) => id === msgId);
      if (message === undefined) continue;
      const attempts = message.attempts + 1;
      if (attempts > MAX_RETRIES) this.push({ ...message, queue: `${queue}-dead`, attempts: 0, dueAt: Date.now() });
      else this.push({ ...message, attempts, dueAt: Date.now() + delaySeconds * 1000 });
    }
  }

  /** When the next message is due, or null when none is held. */
  nextDueAt(): number | null {
    return this.messages.length === 0 ? null : Math.min(...this.messages.map(({ dueAt }) => dueAt));
  }
}
