import { DurableObject } from "cloudflare:workers";
import { isAlarmLost, setAlarmAt } from "../../shared/alarms.ts";
import { log } from "../../shared/logger.ts";
import { isSendingOn } from "../../shared/sending.ts";
import { MINUTE_MS } from "../../shared/time/durations.ts";
import { Pump } from "./pacing.pump.ts";
import type { RunningCampaign } from "./pacing.round.ts";
import type { Grant, GrantReport, Pause, PumpedCampaign, Slot, SlotRequest } from "./pacing.schemas.ts";
import type { SavedSlots } from "./pacing.slots.ts";

const WRITE_DOWN_MS = 1000;
/** While sending is off, the pump checks this often whether it may grant again. */
const REST_MS = MINUTE_MS;
const keyOf = (campaignId: string) => `campaign:${campaignId}`;

/**
 * Decides when each message of one connection is sent: reserves slots for direct messages, and grants leases to campaigns through
 * the queue. Slots are in memory and are stored at most once a second; campaigns are stored at once. One alarm both stores the
 * slots and runs the ticks of the pump.
 */
export class ConnectionPacer extends DurableObject<Env> {
  private pump = Pump.restore(0, undefined, []);
  private writeAt = Infinity;
  /** The time of the next work. */
  private workAt = Infinity;
  /** The time for which the alarm is set. It is later than `workAt` if `workAt` is already past. */
  private alarmAt = Infinity;
  /** No grant before this time. */
  private restsUntil = 0;

  constructor(state: DurableObjectState, env: Env) {
    super(state, env);
    void state.blockConcurrencyWhile(async () => {
      const slots = await this.ctx.storage.get<SavedSlots>("slots");
      const campaigns = await this.ctx.storage.list<RunningCampaign>({ prefix: keyOf("") });
      this.pump = Pump.restore(Date.now(), slots, [...campaigns.values()]);
      await this.scheduleWork();
    });
  }

  /** Returns the slot of a message that is ready to be sent. */
  async take(request: SlotRequest): Promise<Slot> {
    const slot = this.pump.take(Date.now(), request);
    this.noteChange();
    await this.scheduleWork();
    return slot;
  }

  async pause(pause: Pause): Promise<void> {
    this.pump.pause(Date.now(), pause);
    this.noteChange();
    await this.scheduleWork();
  }

  /** Starts granting leases to a campaign. Repeating the call has no effect. */
  async run(campaign: PumpedCampaign): Promise<void> {
    if (this.pump.run(Date.now(), campaign)) await this.storeCampaign(campaign.campaignId);
    await this.scheduleWork();
  }

  async report(report: GrantReport): Promise<void> {
    if (this.pump.report(Date.now(), report)) await this.storeCampaign(report.campaignId);
    await this.scheduleWork();
  }

  override async alarm(): Promise<void> {
    const reached = Math.max(this.alarmAt, Date.now());
    this.workAt = this.alarmAt = Infinity;
    const sends = isSendingOn(this.env);
    if (!sends) this.restsUntil = Date.now() + REST_MS;
    const grants = sends ? this.pump.tick(Date.now(), () => crypto.randomUUID()) : [];
    for (const lost of this.pump.takeLost()) log.error("grants_not_reported", { ...lost });
    if (grants.length > 0) {
      this.noteChange();
      // Not awaited, because a slow queue must not delay the next tick.
      this.ctx.waitUntil(this.enqueue(grants));
    }
    if (this.writeAt < Infinity && this.writeAt <= reached) {
      this.writeAt = Infinity;
      await this.ctx.storage.put("slots", this.pump.saveSlots(), { allowUnconfirmed: true });
    }
    await this.scheduleWork();
  }

  private async enqueue(grants: Grant[]): Promise<void> {
    try {
      await this.env.CAMPAIGN_QUEUE.sendBatch(grants.map((body) => ({ body })));
    } catch (error) {
      log.error("grants_not_enqueued", { connectionId: grants[0]?.connectionId, count: grants.length, error });
      this.pump.withdraw(grants);
      await this.scheduleWork().catch((cause: unknown) => log.error("alarm_not_set", { error: cause }));
    }
  }

  private async storeCampaign(campaignId: string): Promise<void> {
    const campaign = this.pump.findCampaign(campaignId);
    if (campaign === null) await this.ctx.storage.delete(keyOf(campaignId));
    else await this.ctx.storage.put(keyOf(campaignId), campaign);
  }

  private noteChange(): void {
    this.writeAt = Math.min(this.writeAt, Date.now() + WRITE_DOWN_MS);
  }

  private async scheduleWork(): Promise<void> {
    const at = Math.min(this.writeAt, Math.max(this.pump.nextAt(), this.restsUntil));
    if (at === this.workAt && !isAlarmLost(this.alarmAt)) return;
    this.workAt = this.alarmAt = at;
    if (at === Infinity) await this.ctx.storage.deleteAlarm();
    else this.alarmAt = await setAlarmAt(this.ctx.storage, at, { allowUnconfirmed: true });
  }
}
