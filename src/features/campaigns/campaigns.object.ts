import { DurableObject } from "cloudflare:workers";
import type { Wake } from "./campaigns.schemas.ts";

/** Has a campaign looked after at its times: when it is to start, and when it may send no more. */
export class CampaignClock extends DurableObject<Env> {
  /** `times` in ms since the epoch; those set before are forgotten. */
  async set(wake: Wake, times: number[]): Promise<void> {
    await this.ctx.storage.put({ wake, times: times.toSorted((a, b) => a - b) });
    await this.next();
  }

  /** Delivered at least once; whoever looks after the campaign finds out what is due. */
  override async alarm(): Promise<void> {
    const wake = await this.ctx.storage.get<Wake>("wake");
    if (wake === undefined) return;
    await this.env.EXPAND_QUEUE.send(wake);
    const times = (await this.ctx.storage.get<number[]>("times")) ?? [];
    await this.ctx.storage.put("times", times.slice(1));
    await this.next();
  }

  private async next(): Promise<void> {
    const [at] = (await this.ctx.storage.get<number[]>("times")) ?? [];
    await (at === undefined ? this.ctx.storage.deleteAlarm() : this.ctx.storage.setAlarm(at));
  }
}
