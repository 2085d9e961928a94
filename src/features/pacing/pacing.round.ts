import { MINUTE_MS } from "../../shared/time/durations.ts";
import type { Grant, GrantReport, PumpedCampaign } from "./pacing.schemas.ts";

/** Messages per grant, which is how many a crash leaves `unknown`. */
export const MAX_LEASE_SIZE = 100;
/** A grant without a report is forgotten after this time. */
const REPORT_MS = MINUTE_MS;
/** How many seconds' worth of a campaign's messages may be unreported. */
const AHEAD_SECONDS = 10;

/** A campaign with work, in its stored form. */
export interface RunningCampaign extends PumpedCampaign {
  /** Has work from this time on, in ms since the epoch. */
  readyAt: number;
}

interface Unreported {
  size: number;
  at: number;
  /** How often the campaign had been run when the grant was made. */
  runs: number;
}

/** A campaign's grants that were forgotten without a report. */
export interface LostGrants {
  connectionId: string;
  campaignId: string;
  grants: number;
  messages: number;
}

interface Member {
  campaign: PumpedCampaign;
  /** Has work from this time on. Infinity: no known work; the campaign stays until all its grants are reported. */
  readyAt: number;
  runs: number;
  /** Oldest first. */
  unreported: Map<string, Unreported>;
  /** Messages in `unreported`. */
  ahead: number;
  /** The messages granted so far, as a position in the round. */
  served: number;
}

export interface Deal {
  /** Messages to grant. */
  amount: number;
  /** Messages per second of the connection. */
  rate: number;
  newId: () => string;
}

/**
 * The campaigns with work on one connection. The next grant goes to the campaign that has received the fewest messages. A campaign
 * that (re)joins starts level with the others, so that none accumulates turns. Times in ms since the epoch.
 */
export class Round {
  readonly #members = new Map<string, Member>();
  /** The position of the campaign that was last served. */
  #turn = 0;
  #lost: LostGrants[] = [];

  static restore(campaigns: Iterable<RunningCampaign>): Round {
    const restored = new Round();
    for (const { readyAt, ...campaign } of campaigns) restored.#join(campaign).readyAt = readyAt;
    return restored;
  }

  /** The campaign has work now. Returns true if it had none before. */
  run(now: number, campaign: PumpedCampaign): boolean {
    const member = this.#members.get(campaign.campaignId) ?? this.#join(campaign);
    member.runs++;
    const isNews = member.readyAt > now;
    if (isNews) member.readyAt = now;
    return isNews;
  }

  /** Applies the outcome of a grant. Returns true if the time of the campaign's next work changes. */
  report(now: number, { campaignId, grantId, next }: GrantReport): boolean {
    const member = this.#members.get(campaignId);
    if (member === undefined) return false;
    const given = member.unreported.get(grantId);
    this.#forget(member, grantId);
    const before = member.readyAt;
    const readyAt = next === "more" ? now : next === "nothing" ? Infinity : next;
    // Several grants are open at a time: one report does not cancel work that another has found.
    if (before > now) member.readyAt = Math.min(before, readyAt);
    // Reports of grants from before the last `run`, and of forgotten grants, do not know of the new work.
    else if (given?.runs === member.runs && readyAt > now) member.readyAt = readyAt;
    this.#tidy(member);
    return member.readyAt !== before;
  }

  /** A campaign in its stored form; null if it has no work. */
  find(campaignId: string): RunningCampaign | null {
    const member = this.#members.get(campaignId);
    if (member === undefined || member.readyAt === Infinity) return null;
    return { ...member.campaign, readyAt: member.readyAt };
  }

  hasWork(now: number): boolean {
    return this.#members.values().some(({ readyAt }) => readyAt <= now);
  }

  /** The time from which a campaign can receive a grant, past or future; Infinity if there is none. */
  nextAt(rate: number): number {
    let next = Infinity;
    for (const member of this.#members.values()) next = Math.min(next, openAt(member, rate));
    return next;
  }

  /** Grants as many leases as campaigns may have now. */
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

  /** Takes back grants that failed to enqueue. */
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

  /** The campaign that is served next. */
  #next(now: number, rate: number): Member | null {
    let next: Member | null = null;
    for (const member of this.#members.values()) {
      if (openAt(member, rate) > now) continue;
      if (next === null || Math.max(member.served, this.#turn) < Math.max(next.served, this.#turn)) next = member;
    }
    return next;
  }

  /** The grants that were forgotten since the last call. */
  takeLost(): LostGrants[] {
    const lost = this.#lost;
    this.#lost = [];
    return lost;
  }

  #expire(now: number, member: Member): void {
    const { connectionId, campaignId } = member.campaign;
    const lost = { connectionId, campaignId, grants: 0, messages: 0 };
    for (const [grantId, { at, size }] of member.unreported) {
      if (at + REPORT_MS > now) break;
      lost.grants++;
      lost.messages += size;
      this.#forget(member, grantId);
    }
    if (lost.grants > 0) this.#lost.push(lost);
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

/** How many more messages a campaign may receive beside its unreported ones. */
const roomOf = ({ ahead }: Member, rate: number): number => AHEAD_SECONDS * rate - ahead;

/** When a campaign can receive a grant: it has work, and its oldest grants are reported or forgotten. */
function openAt(member: Member, rate: number): number {
  if (roomOf(member, rate) > 0) return member.readyAt;
  const [oldest] = member.unreported.values();
  return Math.max(member.readyAt, (oldest?.at ?? 0) + REPORT_MS);
}
