import * as z from "zod";
import { HeldQueues, type HeldMessage } from "../queues.ts";
import type { Chance } from "./chance.ts";
import { Invocation, type Step } from "./invocation.ts";

const CLAIM = /INSERT INTO leases/;
const HANDED = /INSERT INTO sandbox_deliveries/;
const SETTLED = /update "leases" set "settled_at"/;
const WINDOW = /INSERT INTO messages[^]*row_number/;

const batchResults = z.array(z.object({ results: z.array(z.looseObject({})) }));
const tookSomebody = (result: unknown) =>
  batchResults.parse(result).some(({ results: [row] }) => row !== undefined && "skip" in row);

const atWindows: Step[] = [
  { name: "before a window", sql: WINDOW, when: "before" },
  { name: "after a window", sql: WINDOW, when: "after" },
];

/**
 * Consumers die at these steps. Each step in `first` kills one run at the start. After that, a `share` of the runs
 * dies at `steps`, which take turns. Such a run first passes its step at most `passes` times.
 */
const deaths: Record<string, { share: number; passes: number; first: Step[]; steps: Step[] }> = {
  "tidings-campaign": {
    share: 0.05,
    passes: 0,
    first: [],
    steps: [
      { name: "before the claim", sql: CLAIM, when: "before" },
      { name: "after the claim", sql: CLAIM, when: "after", counts: tookSomebody },
      { name: "after a send", sql: HANDED, when: "after" },
      { name: "before the settlement", sql: SETTLED, when: "before" },
      { name: "after the settlement", sql: SETTLED, when: "after" },
    ],
  },
  "tidings-expand": {
    share: 0.5,
    passes: 4,
    first: atWindows,
    steps: atWindows,
  },
};

interface Death {
  step: Step;
  passes: number;
}

const LOST = 0.01;
const EARLY = 0.02;
const LATE = 0.3;
const LATE_MS = 60_000;
const REPEATED = 0.1;
const REPEATED_MS = 300_000;
const SECOND_MS = 10_000;
const REDELIVERED_MS = 20_000;

const status = z.object({ type: z.literal("status"), messageId: z.string(), status: z.string() });
const statuses = z.union([
  z.object({ event: status }).transform(({ event }) => event),
  z.object({ events: z.array(status).min(1) }).transform(({ events: [first] }) => first),
]);
const granted = z.object({ grantId: z.string() });

/**
 * Every batch is delivered twice and shuffled. Consumers die, grants and wakes are lost, and statuses are
 * late, repeated or early.
 */
export class FaultyQueues extends HeldQueues {
  readonly figures = {
    invocations: 0,
    redelivered: 0,
    lost: 0,
    earlyStatuses: 0,
    lateStatuses: 0,
    repeatedStatuses: 0,
    crashes: new Map<string, number>(),
  };
  private readonly plans = new Map(
    Object.entries(deaths).map(([queue, { first }]) => [
      queue,
      { seen: 0, turn: 0, due: first.map((step): Death => ({ step, passes: 0 })) },
    ]),
  );
  private readonly seconds = new WeakSet<HeldMessage>();
  private readonly crashedGrants: string[] = [];
  private early: Promise<void>[] = [];
  private accepted = 0;
  private rounds = 0;
  private env: Env | null = null;

  constructor(private readonly chance: Chance) {
    super();
  }

  takeCrashedGrants(): string[] {
    return this.crashedGrants.splice(0);
  }

  protected override accept(message: HeldMessage): void {
    const first = statuses.safeParse(message.body).data;
    if (first !== undefined) return this.acceptStatus(message, [first.messageId.slice(-8), first.status]);
    if (message.queue in deaths && this.chance.happens(LOST, "lost", this.accepted++)) this.figures.lost++;
    else super.accept(message);
  }

  private acceptStatus(message: HeldMessage, about: string[]): void {
    // Times are whole seconds, so that several messages are due at the same time.
    const after = (within: number, what: string) =>
      Math.ceil((message.dueAt + this.chance.below(within, what, ...about)) / 1000) * 1000;
    if (this.chance.happens(REPEATED, "repeated", ...about)) {
      this.figures.repeatedStatuses++;
      super.accept({ ...message, dueAt: after(REPEATED_MS, "repeated after") });
    }
    if (this.env !== null && this.chance.happens(EARLY, "early", ...about)) {
      this.figures.earlyStatuses++;
      this.early.push(this.deliver(this.env, message.queue, [message]));
    } else if (this.chance.happens(LATE, "late", ...about)) {
      this.figures.lateStatuses++;
      super.accept({ ...message, dueAt: after(LATE_MS, "late after") });
    } else super.accept(message);
  }

  protected override arrange(due: HeldMessage[]): HeldMessage[] {
    return this.chance.shuffled(due, "order", this.rounds++);
  }

  override async deliverDue(env: Env): Promise<number> {
    this.env = env;
    const queues = [...new Set(this.messages.map((message) => message.queue))];
    const batches = queues.map((queue) => ({ queue, messages: this.take(queue) }));
    await Promise.all(batches.map(({ queue, messages }) => this.deliverTwice(env, queue, messages)));
    for (let early = this.early.splice(0); early.length > 0; early = this.early.splice(0)) await Promise.all(early);
    return batches.reduce((sum, { messages }) => sum + messages.length, 0);
  }

  private async deliverTwice(env: Env, queue: string, messages: HeldMessage[]): Promise<void> {
    if (messages.length === 0) return;
    const again = this.arrange(messages.filter((message) => !this.seconds.has(message)));
    this.figures.redelivered += again.length;
    const inMs = Math.round((this.chance.of("second", this.rounds) - 0.5) * 2 * SECOND_MS);
    if (inMs <= 0 && again.length > 0) {
      await Promise.all([this.deliver(env, queue, messages), this.deliver(env, queue, again)]);
      return;
    }
    for (const message of again) {
      const second = { ...message, dueAt: Date.now() + inMs };
      this.seconds.add(second);
      this.messages.push(second);
    }
    await this.deliver(env, queue, messages);
  }

  protected override async invoke(env: Env, queue: string, messages: HeldMessage[]): Promise<Map<string, number>> {
    this.figures.invocations++;
    const death = this.nextDeath(queue);
    if (death === null) return super.invoke(env, queue, messages);
    const { step, passes } = death;
    const invocation = new Invocation(step, passes);
    const wanted = await super.invoke(invocation.of(env), queue, messages);
    if (!invocation.isDead) {
      this.plans.get(queue)?.due.unshift(death);
      return wanted;
    }
    this.figures.crashes.set(step.name, (this.figures.crashes.get(step.name) ?? 0) + 1);
    this.figures.redelivered += messages.length;
    this.crashedGrants.push(...messages.flatMap(({ body }) => granted.safeParse(body).data?.grantId ?? []));
    return new Map(messages.map(({ id }) => [id, this.chance.below(REDELIVERED_MS, "redelivered", id, this.rounds)]));
  }

  private nextDeath(queue: string): Death | null {
    const plan = this.plans.get(queue);
    const death = deaths[queue];
    if (plan === undefined || death === undefined) return null;
    if (this.chance.happens(death.share, "death", queue, plan.seen++)) {
      const step = death.steps[plan.turn++ % death.steps.length];
      if (step !== undefined) plan.due.push({ step, passes: this.chance.below(death.passes + 1, "passes", plan.seen) });
    }
    return plan.due.shift() ?? null;
  }
}
