import { type RunningCampaign, Round } from "./pacing.round.ts";
import type { Grant, GrantReport, Pause, PumpedCampaign, Slot, SlotRequest } from "./pacing.schemas.ts";
import { type SavedSlots, Slots } from "./pacing.slots.ts";

/** Four ticks hold what a second may hold. They take longer than a second: consumers are late by unlike times. */
const TICKS = 4;
const TICK_MS = 260;
/** Half of that room is kept also where a tick came late: so far apart are it and the fourth one after it. */
const FOUR_TICKS_MS = 1020;

/**
 * The messages that leave through one connection: single sends that ask for their slots, and campaigns that are granted leases at each
 * tick. Ticks keep their times however late they are called, but for those that come more than one tick late.
 * Times in ms since the epoch.
 */
export class Pump {
  readonly #slots: Slots;
  readonly #round: Round;
  /** The next tick, and the times of the last ones. */
  #tickAt: number;
  #index = 0;
  #ticked: number[] = [];

  private constructor(slots: Slots, round: Round, tickAt: number) {
    this.#slots = slots;
    this.#round = round;
    this.#tickAt = tickAt;
  }

  /**
   * `saved`: slots as they were written down last. What was given since then may not be there: campaigns wait for a second.
   * Without it, the rate is what the campaigns came with.
   */
  static restore(now: number, saved: SavedSlots | undefined, campaigns: readonly RunningCampaign[]): Pump {
    const slots = saved ? Slots.restore(saved) : new Slots();
    const [first] = campaigns;
    if (saved === undefined && first !== undefined) slots.limit = first.messagesPerSecond;
    return new Pump(slots, Round.restore(campaigns), first === undefined ? now : now + FOUR_TICKS_MS);
  }

  take(now: number, request: SlotRequest): Slot {
    return this.#slots.take(now, request, this.#round.hasWork(now));
  }

  pause(now: number, pause: Pause): void {
    this.#slots.pause(now, pause);
  }

  /** The campaign has work now. True where that is news. */
  run(now: number, campaign: PumpedCampaign): boolean {
    this.#slots.limit = campaign.messagesPerSecond;
    return this.#round.run(now, campaign);
  }

  /** Takes the outcome of a grant. True where that changes the time at which the campaign has work. */
  report(now: number, report: GrantReport): boolean {
    this.#slots.limit = report.messagesPerSecond;
    return this.#round.report(now, report);
  }

  /** The grants of a tick, if one is due. */
  tick(now: number, newId: () => string): Grant[] {
    if (now < this.nextAt()) return [];
    const share = this.#slots.limit - this.#slots.reserve(now);
    const quota = Math.ceil(((this.#index + 1) * share) / TICKS) - Math.ceil((this.#index * share) / TICKS);
    this.#index = (this.#index + 1) % TICKS;
    this.#tickAt = (now < this.#tickAt + TICK_MS ? this.#tickAt : now) + TICK_MS;
    this.#ticked = [...this.#ticked, now].slice(-TICKS);

    const amount = Math.min(quota, this.#slots.room(now));
    const grants = this.#round.deal(now, { amount, rate: this.#slots.limit, newId });
    const given = grants.reduce((sum, { size }) => sum + size, 0);
    if (given > 0) this.#slots.spend(now, given);
    return grants;
  }

  /** Takes back grants that could not be enqueued; their slots are lost, since they may have been enqueued all the same. */
  withdraw(grants: readonly Grant[]): void {
    this.#round.withdraw(grants);
  }

  /** The time of the next tick; Infinity as long as no campaign can be given anything. */
  nextAt(): number {
    const fourBack = this.#ticked.at(-TICKS) ?? -Infinity;
    const earliest = Math.max(this.#tickAt, fourBack + FOUR_TICKS_MS, this.#slots.pausedUntil);
    return Math.max(earliest, this.#round.nextAt(this.#slots.limit));
  }

  saveSlots(): SavedSlots {
    return this.#slots.save();
  }

  /** A campaign as it is to be stored; null when it has no work. */
  findCampaign(campaignId: string): RunningCampaign | null {
    return this.#round.find(campaignId);
  }
}
