import { MINUTE_MS } from "../../shared/durations.ts";
import type { Grant, GrantReport, PumpedCampaign } from "./pacing.schemas.ts";

/** Messages of one grant at most: what a crash leaves unknown. */
export const MAX_LEASE_SIZE = 100;
/** A grant that nobody reported for so long is forgotten. */
const REPORT_MS = MINUTE_MS;
/** So many seconds' worth of one campaign may wait to be reported. */
const AHEAD_SECONDS = 10;

/** A campaign with work, as it is stored. */
export interface RunningCampaign extends PumpedCampaign {
  /** Has work from then on, in ms since the epoch. */
  readyAt: number;
}

interface Unreported {
  size: number;
  at: number;
  /** The number of times the campaign had been run by then. */
  runs: number;
}

interface Member {
  campaign: PumpedCampaign;
  /** Has work from then on. Infinity: no work is known, and it stays only until all its grants are reported. */
  readyAt: number;
  runs: number;
  /** By the one that was given first. */
  unreported: Map<string, Unreported>;
  /** Messages in `unreported`. */
  ahead: number;
  /** The messages it has been given, as a position in the round. */
  served: number;
}

export interface Deal {
  /** Messages to hand out. */
  amount: number;
  /** Messages per second of the connection. */
  rate: number;
  newId: () => string;
}

/**
 * The campaigns that have work on one connection, and their turns: the next is the one that was given least, in messages. A
 * campaign that comes (back) starts level with the others, so that none saves up turns. Times in ms since the epoch.
 */
export class Round {
  readonly #members = new Map<string, Member>();
  /** The position of the campaign that had its turn last. */
  #turn = 0;

  static restore(campaigns: Iterable<RunningCampaign>): Round {
    const restored = new Round();
    for (const { readyAt, ...campaign } of campaigns) restored.#join(campaign).readyAt = readyAt;
    return restored;
  }

  /** The campaign has work now. True where that is news. */
  run(now: number, campaign: PumpedCampaign): boolean {
    const member = this.#members.get(campaign.campaignId) ?? this.#join(campaign);
    member.runs++;
    const isNews = member.readyAt > now;
    if (isNews) member.readyAt = now;
    return isNews;
  }

  /** Takes the outcome of a grant. True where that changes the time at which the campaign has work. */
  report(now: number, { campaignId, grantId, next }: GrantReport): boolean {
    const member = this.#members.get(campaignId);
    if (member === undefined) return false;
    const given = member.unreported.get(grantId);
    this.#forget(member, grantId);
    const before = member.readyAt;
    const readyAt = next === "more" ? now : next === "nothing" ? Infinity : next;
    // Several grants are out at a time: work that one of them knows of is not taken back by another.
    if (before > now) member.readyAt = Math.min(before, readyAt);
    // The report of a grant from before the last `run`, or of one that was forgotten, knows nothing of what that was for.
    else if (given?.runs === member.runs && readyAt > now) member.readyAt = readyAt;
    this.#tidy(member);
    return member.readyAt !== before;
  }

  /** A campaign as it is to be stored; null when it has no work. */
  find(campaignId: string): RunningCampaign | null {
    const member = this.#members.get(campaignId);
    if (member === undefined || member.readyAt === Infinity) return null;
    return { ...member.campaign, readyAt: member.readyAt };
  }

  hasWork(now: number): boolean {
    return this.#members.values().some(({ readyAt }) => readyAt <= now);
  }

  /** Since when, or from when on, a campaign can be given something; Infinity when there is none. */
  nextAt(rate: number): number {
    let next = Infinity;
    for (const member of this.#members.values()) next = Math.min(next, openAt(member, rate));
    return next;
  }

  /** Grants leases now, as many as campaigns may have. */
  deal(now: number, { amount, rate, newId }: Deal): Grant[] {
    for (const member of this.#members.values()) this.#expire(now, member);
    const grants: Grant[] = [];
    for (let left = amount; left > 0;) {
      const member = this.#next(now, rate);
      if (member === null) break;
      const size = Math.min(left, MAX_LEASE_SIZE, roomOf(member, rate));
      left -= size;
      this.#turn = Math.max(this.#turn, member.served);
      member.served = this.#turn + size;
      member.ahead += size;
      const grantId = newId();
      member.unreported.set(grantId, { size, at: now, runs: member.runs });
      const { workspace, campaignId, connectionId } = member.campaign;
      grants.push({ v: 1, workspace, campaignId, connectionId, grantId, size, at: now });
    }
    return grants;
  }

  /** Takes back grants that were not enqueued. */
  withdraw(grants: readonly Grant[]): void {
    for (const { campaignId, grantId } of grants) {
      const member = this.#members.get(campaignId);
      if (member === undefined) continue;
      this.#forget(member, grantId);
      this.#tidy(member);
    }
  }

  #join(campaign: PumpedCampaign): Member {
    const member = { campaign, readyAt: Infinity, runs: 0, unreported: new Map(), ahead: 0, served: this.#turn };
    this.#members.set(campaign.campaignId, member);
    return member;
  }

  /** The campaign whose turn it is. */
  #next(now: number, rate: number): Member | null {
    let next: Member | null = null;
    for (const member of this.#members.values()) {
      if (openAt(member, rate) > now) continue;
      if (next === null || Math.max(member.served, this.#turn) < Math.max(next.served, this.#turn)) next = member;
    }
    return next;
  }

  #expire(now: number, member: Member): void {
    for (const [grantId, { at }] of member.unreported) {
      if (at + REPORT_MS > now) break;
      this.#forget(member, grantId);
    }
    this.#tidy(member);
  }

  #forget(member: Member, grantId: string): void {
    member.ahead -= member.unreported.get(grantId)?.size ?? 0;
    member.unreported.delete(grantId);
  }

  #tidy({ campaign, readyAt, unreported }: Member): void {
    if (readyAt === Infinity && unreported.size === 0) this.#members.delete(campaign.campaignId);
  }
}

/** The messages that a campaign may be given besides those it has not reported yet. */
const roomOf = ({ ahead }: Member, rate: number): number => AHEAD_SECONDS * rate - ahead;

/** From when on a campaign can be given something: it has work, and its oldest grants are reported or forgotten. */
function openAt(member: Member, rate: number): number {
  if (roomOf(member, rate) > 0) return member.readyAt;
  const [oldest] = member.unreported.values();
  return Math.max(member.readyAt, (oldest?.at ?? 0) + REPORT_MS);
}
