import { DurableObject } from "cloudflare:workers";
import { setAlarmAt } from "../../shared/alarms.ts";
import type { AdvanceCampaignJob } from "./campaigns.schemas.ts";

/** Queues a job at the time when the campaign must start, and again when its sending time ends. */
export class CampaignClock extends DurableObject<Env> {
  /** `times` are in ms since the epoch. The key `wake` must not be renamed, because existing objects have stored it. */
  async set(job: AdvanceCampaignJob, times: number[]): Promise<void> {
    await this.ctx.storage.put({ wake: job, times: times.toSorted((a, b) => a - b) });
    await this.scheduleNext();
  }

  /** The platform can run an alarm twice. The second job is harmless, because it changes nothing. */
  override async alarm(): Promise<void> {
    const job = await this.ctx.storage.get<AdvanceCampaignJob>("wake");
    if (job === undefined) return;
    const [due] = await this.times();
    await this.env.EXPAND_QUEUE.send(job);
    // Reads the times again, because `set` can store new times while the job is sent to the queue, and these must not
    // be lost.
    const times = await this.times();
    await this.ctx.storage.put(
      "times",
      times.filter((at) => at !== due),
    );
    await this.scheduleNext();
  }

  private async times(): Promise<number[]> {
    return (await this.ctx.storage.get<number[]>("times")) ?? [];
  }

  private async scheduleNext(): Promise<void> {
    const [at] = await this.times();
    await (at === undefined ? this.ctx.storage.deleteAlarm() : setAlarmAt(this.ctx.storage, at));
  }
}
