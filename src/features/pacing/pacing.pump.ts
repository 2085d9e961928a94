import { type LostGrants, MAX_LEASE_SIZE, type RunningCampaign, Round } from "./pacing.round.ts";
import type { Grant, GrantReport, Pause, PumpedCampaign, Slot, SlotRequest } from "./pacing.schemas.ts";
import { type SavedSlots, Slots } from "./pacing.slots.ts";

/**
 * A round sends the messages of one second. It lasts slightly longer than a second, because queue consumers start with
 * varying delays. Otherwise the messages of two rounds could be sent within one second.
 */
const ROUND_MS = 1040;
/**
 * If a tick was late, the same tick of the next round must come at least this long after it. This still leaves half of
 * the 40 ms by which `ROUND_MS` exceeds a second.
 */
const MIN_ROUND_MS = 1020;
const MAX_TICKS = 4;

/**
 * Each lease writes six rows, so fewer leases cost less. At a low rate, one lease can contain the messages of half a
 * second, so two ticks per second are enough.
 */
const ticksAt = (messagesPerSecond: number): number => (messagesPerSecond <= 2 * MAX_LEASE_SIZE ? 2 : MAX_TICKS);

/**
 * Paces the messages of one connection: direct messages request slots, and campaigns receive leases at each tick. If a
 * tick is late by more than the time between two ticks, a new schedule starts at this tick. Times in ms since the
 * epoch.
 */
export class Pump {
  readonly #slots: Slots;
  readonly #round: Round;
  /** The time of the next tick. */
  #tickAt: number;
  /** The number of the next tick. */
  #index = 0;
  /** The times of the last ticks, oldest first. */
  #ticked: number[] = [];

  private constructor(slots: Slots, round: Round, tickAt: number) {
    this.#slots = slots;
    this.#round = round;
    this.#tickAt = tickAt;
  }

  /**
   * After a restart, slots granted since the last save are unknown, so campaigns receive nothing for one second.
   * Without `saved`, we start with the rate of the first campaign.
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
