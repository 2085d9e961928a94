import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { vi } from "vitest";
import { grant, type Grant } from "../../src/features/pacing/pacing.schemas.ts";
import type { HeldMessage } from "./queues.ts";
import type { World } from "./world.ts";

const DAY_MS = 86_400_000;

/** For `beforeEach`: a clock a day ahead, since alarms follow the real one: that way they run only when a test has them run. */
export function holdAlarms(): void {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + DAY_MS });
}

/** The pump of a connection, driven by a test. Its grants go to the world's queues. */
export class DrivenPump {
  readonly stub: ReturnType<Env["CONNECTION_PACER"]["getByName"]>;

  constructor(
    readonly world: World,
    readonly connectionId: string,
  ) {
    this.stub = env.CONNECTION_PACER.getByName(connectionId);
  }

  /** When its alarm is due (the next tick, or another piece of its work), in ms since the epoch; null when it has nothing to do. */
  dueAt(): Promise<number | null> {
    return runInDurableObject(this.stub, (_, { storage }) => storage.getAlarm());
  }

  /** Runs the alarm at its time, or now if that has passed. False when there is none. */
  async runAlarm(): Promise<boolean> {
    const dueAt = await this.dueAt();
    if (dueAt === null) return false;
    this.world.setTime(Math.max(Date.now(), dueAt));
    await runInDurableObject(this.stub, (pacer) => void Reflect.set(pacer, "env", this.world.env));
    return runDurableObjectAlarm(this.stub);
  }

  /** Runs alarms until it is `end`. What they enqueue stays in the world's queues; nobody reports meanwhile. */
  async runUntil(end: number): Promise<void> {
    for (let dueAt = await this.dueAt(); dueAt !== null && dueAt <= end; dueAt = await this.dueAt())
      await this.runAlarm();
    this.world.setTime(Math.max(Date.now(), end));
  }

  /** Takes the grants of this connection out of the campaign queue. */
  takeGrants(): Grant[] {
    const { messages } = this.world.queues;
    const isOurs = ({ queue, body }: HeldMessage) =>
      queue === "tidings-campaign" && grant.parse(body).connectionId === this.connectionId;
    const ours = messages.filter(isOurs);
    messages.splice(0, messages.length, ...messages.filter((message) => !ours.includes(message)));
    return ours.map(({ body }) => grant.parse(body));
  }
}
