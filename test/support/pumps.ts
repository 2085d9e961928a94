import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { grant, type Grant } from "../../src/features/pacing/pacing.schemas.ts";
import type { HeldMessage } from "./queues.ts";
import type { World } from "./world.ts";

/** The pump of a connection, run by the test. Its grants go to the world's queues. */
export class DrivenPump {
  readonly stub: ReturnType<Env["CONNECTION_PACER"]["getByName"]>;

  constructor(
    readonly world: World,
    readonly connectionId: string,
  ) {
    this.stub = env.CONNECTION_PACER.getByName(connectionId);
  }

  /** The time of the pump's alarm in ms since the epoch, or null if it has nothing to do. */
  dueAt(): Promise<number | null> {
    return runInDurableObject(this.stub, (_, { storage }) => storage.getAlarm());
  }

  /** Runs the alarm at its time, or now if the time has passed. Returns false without an alarm. */
  async runAlarm(): Promise<boolean> {
    const dueAt = await this.dueAt();
    if (dueAt === null) return false;
    this.world.setTime(Math.max(Date.now(), dueAt));
    await runInDurableObject(this.stub, (pacer) => void Reflect.set(pacer, "env", this.world.env));
    return runDurableObjectAlarm(this.stub);
  }

  /** Runs alarms until `end`. The grants stay in the world's queues, and no consumer reports on them. */
  async runUntil(end: number): Promise<void> {
    for (let dueAt = await this.dueAt(); dueAt !== null && dueAt <= end; dueAt = await this.dueAt())
      await this.runAlarm();
    this.world.setTime(Math.max(Date.now(), end));
  }

  /** Removes the grants of this connection from the campaign queue. */
  takeGrants(): Grant[] {
    const { messages } = this.world.queues;
    const isOurs = ({ queue, body }: HeldMessage) =>
      queue === "tidings-campaign" && grant.parse(body).connectionId === this.connectionId;
    const ours = messages.filter(isOurs);
    messages.splice(0, messages.length, ...messages.filter((message) => !ours.includes(message)));
    return ours.map(({ body }) => grant.parse(body));
  }
}
