import { type LostGrants, MAX_LEASE_SIZE, type RunningCampaign, Round } from "./pacing.round.ts";
import type { Grant, GrantReport, Pause, PumpedCampaign, Slot, SlotRequest } from "./pacing.schemas.ts";
import { type SavedSlots, Slots } from "./pacing.slots.ts";

/**
 * A round sends the messages of one second, but lasts slightly longer: queue consumers start with varying delays, so
 * two rounds could otherwise overlap in one second.
 */
const ROUND_MS = 1040;
/**
 * The minimum time between a tick and the same tick of the next round. It keeps half of the margin of `ROUND_MS` if a
 * tick was late.
 */
const MIN_ROUND_MS = 1020;
const MAX_TICKS = 4;

/**
 * A lease takes six rows of the database. At a low rate, two ticks per second are therefore enough, because one lease
 * can contain the messages of half a second.
 */
const ticksAt = (messagesPerSecond: number): number => (messagesPerSecond <= 2 * MAX_LEASE_SIZE ? 2 : MAX_TICKS);

/**
 * The messages sent through one connection: direct messages that request slots, and campaigns that receive leases at each tick.
 * Ticks stay on their schedule unless one is late by more than a tick. Times in ms since the epoch.
 */
export class Pump {
  readonly #slots: Slots;
  readonly #round: Round;
  /** The time of the next tick, its number, and the times of the last ticks. */
  #tickAt: number;
  #index = 0;
  #ticked: number[] = [];

  private constructor(slots: Slots, round: Round, tickAt: number) {
    this.#slots = slots;
    this.#round = round;
    this.#tickAt = tickAt;
  }

  /**
   * Campaigns wait one second after a restart, because slots granted after the last save are unknown. Without `saved`, the limit
   * is the rate of the first campaign.
   */
  static restore(now: number, saved: SavedSlots | undefined, campaigns: readonly RunningCampaign[]): Pump {
    const slots = saved ? Slots.restore(saved) : new Slots();
    const [first] = campaigns;
    if (saved === undefined && first !== undefined) slots.limit = first.messagesPerSecond;
    return new Pump(slots, Round.restore(campaigns), first === undefined ? now : now + MIN_ROUND_MS);
  }

  take(now: number, request: SlotRequest): Slot {
    return this.#slots.take(now, request, this.#round.hasWork(now));
  }

  pause(now: number, pause: Pause): void {
    this.#slots.pause(now, pause);
  }

  /** Marks the campaign as having work. Returns true if it had none before. */
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
    const ticks = ticksAt(this.#slots.limit);
    const tickMs = ROUND_MS / ticks;
    const index = this.#index % ticks;
    const quota = Math.ceil(((index + 1) * share) / ticks) - Math.ceil((index * share) / ticks);
    this.#index = index + 1;
    this.#tickAt = (now < this.#tickAt + tickMs ? this.#tickAt : now) + tickMs;
    this.#ticked = [...this.#ticked, now].slice(-MAX_TICKS);

    const amount = Math.min(quota, this.#slots.room(now));
    const grants = this.#round.deal(now, { amount, rate: this.#slots.limit, newId });
    const given = grants.reduce((sum, { size }) => sum + size, 0);
    if (given > 0) this.#slots.spend(now, given);
    return grants;
  }

  /** Returns the grants that expired without a report since the last call. */
  takeLost(): LostGrants[] {
    return this.#round.takeLost();
  }

  /** Cancels grants that could not be queued. Their slots stay used, because the queue might have accepted the grants. */
  withdraw(grants: readonly Grant[]): void {
    this.#round.withdraw(grants);
  }

  /** Returns the time of the next tick; Infinity while no campaign can receive a grant. */
  nextAt(): number {
    const lastRound = this.#ticked.at(-ticksAt(this.#slots.limit)) ?? -Infinity;
    const earliest = Math.max(this.#tickAt, lastRound + MIN_ROUND_MS, this.#slots.pausedUntil);
    return Math.max(earliest, this.#round.nextAt(this.#slots.limit));
  }

  saveSlots(): SavedSlots {
    return this.#slots.save();
  }

  /** Returns a campaign in its stored form; null if the campaign has no work. */
  findCampaign(campaignId: string): RunningCampaign | null {
    return this.#round.find(campaignId);
  }
}
