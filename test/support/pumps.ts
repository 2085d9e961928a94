import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { grant, type Grant } from "../../src/features/pacing/pacing.schemas.ts";
import type { HeldMessage } from "./queues.ts";
import type { World } from "./world.ts";

export class DrivenPump {
  readonly stub: ReturnType<Env["CONNECTION_PACER"]["getByName"]>;

  constructor(
    readonly world: World,
    readonly connectionId: string,
  ) {
    this.stub = env.CONNECTION_PACER.getByName(connectionId);
  }

  dueAt(): Promise<number | null> {
    return runInDurableObject(this.stub, (_, { storage }) => storage.getAlarm());
  }

  /** Moves the clock forward to the alarm's time and runs the alarm. Returns false if no alarm is set. */
  async runAlarm(): Promise<boolean> {
    const dueAt = await this.dueAt();
    if (dueAt === null) return false;
    this.world.setTime(Math.max(Date.now(), dueAt));
    await runInDurableObject(this.stub, (pacer) => void Reflect.set(pacer, "env", this.world.env));
    return runDurableObjectAlarm(this.stub);
  }

  /** Runs all alarms until `end`. No consumer receives the grants, because they stay in the world's queues. */
  async runUntil(end: number): Promise<void> {
    for (let dueAt = await this.dueAt(); dueAt !== null && dueAt <= end; dueAt = await this.dueAt())
      await this.runAlarm();
    this.world.setTime(Math.max(Date.now(), end));
  }

  takeGrants(): Grant[] {
    const { messages } = this.world.queues;
    const isOurs = ({ queue, body }: HeldMessage) =>
      queue === "tidings-campaign" && grant.parse(body).connectionId === this.connectionId;
    const ours = messages.filter(isOurs);
    messages.splice(0, messages.length, ...messages.filter((message) => !ours.includes(message)));
    return ours.map(({ body }) => grant.parse(body));
  }
}
