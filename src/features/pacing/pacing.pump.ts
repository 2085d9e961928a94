import { type LostGrants, type RunningCampaign, Round } from "./pacing.round.ts";
import type { Grant, GrantReport, Pause, PumpedCampaign, Slot, SlotRequest } from "./pacing.schemas.ts";
import { type SavedSlots, Slots } from "./pacing.slots.ts";

/** Four ticks hold the messages of one second but take longer than a second, because consumers start with varying delays. */
const TICKS = 4;
const TICK_MS = 260;
/** Half of that margin is kept even if a tick was late: the distance between that tick and the fourth after it. */
const FOUR_TICKS_MS = 1020;

/**
 * The messages that leave through one connection: direct messages that request slots, and campaigns that receive leases at each
 * tick. Ticks keep their schedule unless one is late by more than a tick. Times in ms since the epoch.
 */
export class Pump {
  readonly #slots: Slots;
  readonly #round: Round;
  /** The next tick and the times of the last ones. */
  #tickAt: number;
  #index = 0;
  #ticked: number[] = [];

  private constructor(slots: Slots, round: Round, tickAt: number) {
    this.#slots = slots;
    this.#round = round;
    this.#tickAt = tickAt;
  }

  /**
   * Campaigns wait one second, because slots given after the last save are unknown. Without `saved`, the limit is the first
   * campaign's rate.
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

  /** The campaign has work now. Returns true if it had none before. */
  run(now: number, campaign: PumpedCampaign): boolean {
    this.#slots.limit = campaign.messagesPerSecond;
    return this.#round.run(now, campaign);
  }

  /** Applies the outcome of a grant. Returns true if the time of the campaign's next work changes. */
  report(now: number, report: GrantReport): boolean {
    this.#slots.limit = report.messagesPerSecond;
    return this.#round.report(now, report);
  }

  /** Returns the grants of a tick, if one is due. */
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

  /** The grants that were forgotten without a report since the last call. */
  takeLost(): LostGrants[] {
    return this.#round.takeLost();
  }

  /** Takes back grants that failed to enqueue. Their slots stay used, because the queue may have accepted them. */
  withdraw(grants: readonly Grant[]): void {
    this.#round.withdraw(grants);
  }

  /** The time of the next tick; Infinity while no campaign can receive a grant. */
  nextAt(): number {
    const fourBack = this.#ticked.at(-TICKS) ?? -Infinity;
    const earliest = Math.max(this.#tickAt, fourBack + FOUR_TICKS_MS, this.#slots.pausedUntil);
    return Math.max(earliest, this.#round.nextAt(this.#slots.limit));
  }

  saveSlots(): SavedSlots {
    return this.#slots.save();
  }

  /** A campaign in its stored form; null if it has no work. */
  findCampaign(campaignId: string): RunningCampaign | null {
    return this.#round.find(campaignId);
  }
}
