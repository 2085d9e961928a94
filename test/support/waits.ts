import { env } from "cloudflare:workers";
import { vi } from "vitest";
import type { World } from "./world.ts";

// A wait for 0 ms only lets other work have a turn: it is over at once, and is none that a test looks at.

// Taken once: a test that skips waits twice finds the replacement in its place.
const wait = scheduler.wait.bind(scheduler);

/** Lets work that waits go on at once, with the test's clock moved by as much as it waited for. */
export function skipWaits(): { waited: number[] } {
  const waited: number[] = [];
  vi.spyOn(scheduler, "wait").mockImplementation((ms) => {
    // Whoever waits for no time lets others go first.
    if (ms === 0) return wait(0);
    waited.push(ms);
    vi.setSystemTime(Date.now() + ms);
    return Promise.resolve();
  });
  return { waited };
}

/** Holds work that waits for its time until the test's clock gets there. */
export class HeldWaits {
  private sleepers: { until: number; wake(): void }[] = [];

  constructor() {
    vi.spyOn(scheduler, "wait").mockImplementation((ms) =>
      ms === 0 ? Promise.resolve() : new Promise((wake) => this.sleepers.push({ until: Date.now() + ms, wake })),
    );
  }

  get count(): number {
    return this.sleepers.length;
  }

  /** When the next is to go on, or null when none waits. */
  next(): number | null {
    return this.sleepers.length === 0 ? null : Math.min(...this.sleepers.map(({ until }) => until));
  }

  wakeDue(): void {
    const due = this.sleepers.filter(({ until }) => until <= Date.now());
    this.sleepers = this.sleepers.filter((sleeper) => !due.includes(sleeper));
    for (const { wake } of due) wake();
  }

  /** Returns when everything that runs has finished or waits: storage and objects answer in the order they are asked. */
  async quiet(world: World): Promise<void> {
    const pacer = env.CONNECTION_PACER.getByName("nobody");
    const idle = { provider: "sandbox", address: "", messagesPerSecond: 1000, isReturning: true };
    const look = () => `${this.count} ${world.queues.messages.length}`;
    for (let same = 0, seen = look(); same < 4; same = look() === seen ? same + 1 : 0) {
      seen = look();
      await Promise.all([env.DB, env.DB_SHARD_1].map((database) => database.prepare("SELECT 1").first()));
      await pacer.take(idle);
    }
  }

  /** Lets time pass, from one thing that is due to the next, until `work` is done and no queue message is left. */
  async settle(world: World, work: Promise<unknown>[], copies = 1): Promise<void> {
    const running = new Set(work);
    const run = (each: Promise<unknown>) => void each.finally(() => running.delete(each));
    work.forEach(run);
    for (;;) {
      await this.quiet(world);
      const due = [this.next(), world.queues.nextDueAt()].filter((at) => at !== null);
      if (due.length === 0 && running.size === 0) return;
      if (due.length === 0) continue;
      world.setTime(Math.max(Date.now(), Math.min(...due)));
      this.wakeDue();
      await this.quiet(world);
      const delivering = world.queues.deliverDue(world.env, copies);
      running.add(delivering);
      run(delivering);
    }
  }
}
