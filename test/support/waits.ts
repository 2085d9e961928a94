import { env } from "cloudflare:workers";
import { vi } from "vitest";
import type { World } from "./world.ts";

// A wait of 0 ms only lets other work run. The mocks below end it at once and do not record it.

// `skipWaits` needs the original function. It cannot read it itself, because an earlier call may have replaced it.
const wait = scheduler.wait.bind(scheduler);

export function skipWaits(): { waited: number[] } {
  const waited: number[] = [];
  vi.spyOn(scheduler, "wait").mockImplementation((ms) => {
    if (ms === 0) return wait(0);
    waited.push(ms);
    vi.setSystemTime(Date.now() + ms);
    return Promise.resolve();
  });
  return { waited };
}

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

  next(): number | null {
    return this.sleepers.length === 0 ? null : Math.min(...this.sleepers.map(({ until }) => until));
  }

  wakeDue(): void {
    const due = this.sleepers.filter(({ until }) => until <= Date.now());
    this.sleepers = this.sleepers.filter((sleeper) => !due.includes(sleeper));
    for (const { wake } of due) wake();
  }

  /**
   * Resolves when all work has finished or is waiting. D1 and Durable Objects respond in the order of requests, so the
   * calls below end after all earlier ones. This may start more work, so the counts must stay the same four times.
   */
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

  /** Moves the clock from one due time to the next until `work` has finished and no wait or message is left. */
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
