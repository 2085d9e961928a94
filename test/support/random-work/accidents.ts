import { vi } from "vitest";
import { sandbox } from "../../../src/channels/sandbox/sandbox.ts";
import { numbersFrom } from "../faults/chance.ts";
import { Invocation } from "../faults/invocation.ts";
import { ownMessageTo } from "../provider-events.ts";
import { HeldQueues, type HeldMessage } from "../queues.ts";
import { type Passage, databasesThrough } from "../storage.ts";
import { World } from "../world.ts";

/**
 * The first error means that the call did not arrive and can be repeated. The second means that the result is
 * unknown.
 */
const STORAGE_ERRORS = ["D1_ERROR: Network connection lost.", "D1_ERROR: disk I/O error: SQLITE_IOERR"];

/** A seed determines the accidents. While `isCalm` is true, there are none. */
export class Accidents implements Passage {
  isCalm = true;
  isProviderDown = false;
  private readonly next: () => number;
  private callsDown = 0;

  constructor(seed: number) {
    this.next = numbersFrom(seed);
  }

  happens(probability: number): boolean {
    return !this.isCalm && this.next() < probability;
  }

  below(count: number): number {
    return Math.floor(this.next() * count);
  }

  /** Some storage calls fail, before or after their write. */
  async run<T>(sql: string, work: () => Promise<T>): Promise<T> {
    if (this.callsDown > 0 && !this.isCalm) {
      this.callsDown--;
      throw new Error(STORAGE_ERRORS[0]);
    }
    const fails = /INSERT|UPDATE|DELETE/i.test(sql) && this.happens(0.04);
    if (!fails) return work();
    if (this.happens(0.3)) this.callsDown = this.below(10);
    if (this.below(2) === 0) await work();
    throw new Error(STORAGE_ERRORS[this.below(STORAGE_ERRORS.length)]);
  }

  /** The provider rejects messages, loses responses and demands pauses. */
  playProvider(echo: (connectionId: string, event: object) => Promise<void>): void {
    const send = sandbox.send.bind(sandbox);
    const error = { code: "provider_unreachable", message: "No answer.", providerCode: null } as const;
    vi.spyOn(sandbox, "send").mockImplementation(async (connection, message, io) => {
      if (this.isProviderDown) return { kind: "lost", error };
      if (this.happens(0.05))
        return { kind: "refused", error: { code: "undeliverable", message: "No.", providerCode: "1" } };
      if (this.happens(0.08)) return { kind: "retry", error };
      if (this.happens(0.04))
        return { kind: "retry", error: { ...error, code: "rate_limited" }, afterMs: 2000, scope: "connection" };
      if (this.happens(0.04)) return { kind: "lost", error };
      const outcome = await send(connection, message, io);
      if (!this.happens(0.2)) return outcome;
      const providerKey = `key-${message.id}-${message.attempt}`;
      if (this.happens(0.7)) {
        const person = message.to.startsWith("+") ? { phone: message.to } : { userId: message.to };
        await echo(connection.id, {
          ...ownMessageTo(person, message.body),
          providerMessageId: providerKey,
          providerKey,
          viaApi: null,
        });
      }
      return this.happens(0.4)
        ? { kind: "lost", error }
        : { kind: "accepted", providerMessageId: providerKey, providerKey };
    });
  }
}

/** Delivers messages in any order, and some of them twice: at the same time or later. A consumer can die at a write. */
class AccidentalQueues extends HeldQueues {
  constructor(private readonly accidents: Accidents) {
    super();
  }

  protected override arrange(due: HeldMessage[]): HeldMessage[] {
    return due
      .map((message) => ({ message, key: this.accidents.happens(0.5) ? this.accidents.below(100) : 50 }))
      .toSorted((a, b) => a.key - b.key)
      .map(({ message }) => message);
  }

  protected override async deliver(env: Env, queue: string, messages: HeldMessage[]): Promise<void> {
    const again = this.accidents.happens(0.4) ? messages.map((message) => ({ ...message })) : [];
    if (again.length > 0 && this.accidents.happens(0.5)) {
      await Promise.all([super.deliver(env, queue, messages), super.deliver(env, queue, again)]);
      return;
    }
    for (const message of again) this.messages.push({ ...message, dueAt: Date.now() + this.accidents.below(30_000) });
    await super.deliver(env, queue, messages);
  }

  protected override async invoke(env: Env, queue: string, messages: HeldMessage[]): Promise<Map<string, number>> {
    if (!this.accidents.happens(0.1)) return super.invoke(env, queue, messages);
    const when = this.accidents.below(2) === 0 ? "before" : "after";
    const invocation = new Invocation(
      { name: `${when} a write`, sql: /INSERT|UPDATE|DELETE/i, when },
      this.accidents.below(5),
    );
    const wanted = await super.invoke(invocation.of(env), queue, messages);
    return invocation.isDead ? new Map(messages.map(({ id }) => [id, this.accidents.below(20_000)])) : wanted;
  }
}

export function accidentalWorld(accidents: Accidents): World {
  return new World(databasesThrough(accidents), new AccidentalQueues(accidents));
}
