import { Pump } from "../../src/features/pacing/pacing.pump.ts";
import type { Grant, GrantReport, Slot } from "../../src/features/pacing/pacing.schemas.ts";

export const START = 1_000_000;

export interface Leave {
  at: number;
  count: number;
  campaignId: string | null;
  rate: number;
}

interface Options {
  rate: number;
  lateMs?: () => number;
  /** What the consumer reports, and when. Null if it does not report. */
  report?: (grant: Grant) => { afterMs: number; next: GrantReport["next"] } | null;
}

const workspace = { id: "ws_1", number: 1, shard: 0 };

/**
 * Runs a pump with a clock that jumps from event to event. Simulates the reports of consumers, and direct messages
 * that ask again for a slot.
 */
export class PumpPlay {
  pump = Pump.restore(START, undefined, []);
  now = START;
  rate: number;
  readonly grants: Grant[] = [];
  readonly left: Leave[] = [];
  /** How long each direct message waited for its slot, in the order in which the slots were granted. */
  readonly waits: number[] = [];
  readonly #events: { at: number; act: () => void }[] = [];
  readonly #lateMs: () => number;
  readonly #report: NonNullable<Options["report"]>;
  #late = 0;
  #ids = 0;

  constructor({ rate, lateMs = () => 0, report = () => ({ afterMs: 100, next: "more" }) }: Options) {
    this.rate = rate;
    this.#lateMs = lateMs;
    this.#report = report;
  }

  at(time: number, act: () => void): void {
    this.#events.push({ at: time, act });
    this.#events.sort((a, b) => a.at - b.at);
  }

  run(...campaignIds: string[]): void {
    for (const campaignId of campaignIds)
      this.pump.run(this.now, { workspace, campaignId, connectionId: "conn_1", messagesPerSecond: this.rate });
  }

  report(grant: Grant, next: GrantReport["next"]): void {
    const { campaignId, grantId } = grant;
    this.pump.report(this.now, { campaignId, grantId, messagesPerSecond: this.rate, next });
  }

  /** Requests a slot now, and again whenever the pump says so. */
  ask(askedAt = this.now, isReturning = false): Slot {
    const request = { provider: "sandbox", address: "+14155550101", messagesPerSecond: this.rate, isReturning };
    const slot = this.pump.take(this.now, request);
    if (slot.isGranted) {
      this.left.push({ at: this.now + slot.inMs, count: 1, campaignId: null, rate: this.rate });
      this.waits.push(this.now + slot.inMs - askedAt);
    } else this.at(this.now + slot.inMs, () => this.ask(askedAt, true));
    return slot;
  }

  pause(forMs: number): void {
    this.pump.pause(this.now, { provider: "sandbox", scope: "connection", address: "", forMs });
  }

  /** Restores the pump from what it stores, as after an eviction. Open grants are lost. */
  restart(campaignIds: string[], slots = structuredClone(this.pump.saveSlots())): void {
    const campaigns = campaignIds.map((id) => this.pump.findCampaign(id)).filter((campaign) => campaign !== null);
    this.pump = Pump.restore(this.now, slots, structuredClone(campaigns));
  }

  until(end: number): void {
    for (;;) {
      const tickAt = Math.max(this.now, this.pump.nextAt() + this.#late);
      const next = this.#events[0];
      if (Math.min(tickAt, next?.at ?? Infinity) > end) break;
      if (next !== undefined && next.at <= tickAt) {
        this.#events.shift();
        this.now = Math.max(this.now, next.at);
        next.act();
      } else {
        this.now = tickAt;
        this.#tick();
      }
    }
    this.now = end;
  }

  #tick(): void {
    this.#late = this.#lateMs();
    for (const grant of this.pump.tick(this.now, () => `grant ${this.#ids++}`)) {
      const { size, at, campaignId } = grant;
      this.grants.push(grant);
      this.left.push({ at, count: size, campaignId, rate: this.rate });
      const report = this.#report(grant);
      if (report !== null) this.at(at + report.afterMs, () => this.report(grant, report.next));
    }
  }
}

export const messagesIn = (left: Leave[], from: number, to: number): number =>
  left.reduce((sum, { at, count }) => (at >= from && at < to ? sum + count : sum), 0);

export function fullest(left: Leave[]): number {
  const sorted = left.toSorted((a, b) => a.at - b.at);
  let [most, sum, end] = [0, 0, 0];
  for (const { at, count } of sorted) {
    for (let next = sorted[end]; next !== undefined && next.at < at + 1000; next = sorted[++end]) sum += next.count;
    most = Math.max(most, sum);
    sum -= count;
  }
  return most;
}
