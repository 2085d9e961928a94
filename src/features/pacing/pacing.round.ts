import { MINUTE_MS } from "../../shared/time/durations.ts";
import type { Grant, GrantReport, PumpedCampaign } from "./pacing.schemas.ts";

/** The maximum number of messages per grant. If a consumer crashes, at most this many messages become `unknown`. */
export const MAX_LEASE_SIZE = 100;
/** A grant without a report expires after this time. */
const REPORT_MS = MINUTE_MS;
/** A campaign can have at most as many unreported messages as the connection sends in this time. */
const AHEAD_SECONDS = 10;

/** A campaign with work, in its stored form. */
export interface RunningCampaign extends PumpedCampaign {
  /** The campaign has work from this time on, in ms since the epoch. */
  readyAt: number;
}

interface Unreported {
  size: number;
  at: number;
  /** How often `run` had been called for this campaign when the grant was made. */
  runs: number;
}

/** Grants of a campaign that expired without a report. */
export interface LostGrants {
  connectionId: string;
  campaignId: string;
  grants: number;
  messages: number;
}

interface Member {
  campaign: PumpedCampaign;
  /**
   * The campaign has work from this time on. If it has no known work, this is Infinity, and the campaign is removed
   * when no grant is unreported.
   */
  readyAt: number;
  runs: number;
  /** Unreported grants, oldest first. */
  unreported: Map<string, Unreported>;
  /** The number of messages in `unreported`. */
  ahead: number;
  /** The campaign's position in the round. Each grant increases it by the number of its messages. */
  served: number;
}

export interface Deal {
  /** The number of messages to grant. */
  amount: number;
  /** The rate of the connection, in messages per second. */
  rate: number;
  newId: () => string;
}

/**
 * The campaigns with work on one connection. The next grant goes to the campaign with the lowest position. A campaign
 * that joins or had to wait continues at the position of the last grant, so that it does not catch up on missed turns.
 * Times in ms since the epoch.
 */
export class Round {
  readonly #members = new Map<string, Member>();
  /** The position of the campaign that received the last grant. */
  #turn = 0;
  #lost: LostGrants[] = [];

  static restore(campaigns: Iterable<RunningCampaign>): Round {
    const restored = new Round();
    for (const { readyAt, ...campaign } of campaigns) restored.#join(campaign).readyAt = readyAt;
    return restored;
  }

  /** Marks the campaign as having work. Returns true if it had none before. */
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
    // Several grants can be unreported at the same time. A report must not postpone work that an earlier report found.
    if (before > now) member.readyAt = Math.min(before, readyAt);
    // `run` announces new work, which earlier grants do not include. Only the report of a grant made after the last
    // `run` can therefore end the work. Expired grants are already forgotten, so their reports cannot end it either.
    else if (given?.runs === member.runs && readyAt > now) member.readyAt = readyAt;
    this.#tidy(member);
    return member.readyAt !== before;
  }

  /** Returns a campaign in its stored form; null if the campaign has no work. */
  find(campaignId: string): RunningCampaign | null {
    const member = this.#members.get(campaignId);
    if (member === undefined || member.readyAt === Infinity) return null;
    return { ...member.campaign, readyAt: member.readyAt };
  }

  hasWork(now: number): boolean {
    return this.#members.values().some(({ readyAt }) => readyAt <= now);
  }

  /** Returns the time from which a campaign can receive a grant, which can be past; Infinity if there is none. */
  nextAt(rate: number): number {
    let next = Infinity;
    for (const member of this.#members.values()) next = Math.min(next, openAt(member, rate));
    return next;
  }

  /** Grants as many leases as the campaigns can receive now. */
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

  /** Cancels grants that could not be queued. */
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

  /** Returns the campaign that receives the next grant. */
  #next(now: number, rate: number): Member | null {
    let next: Member | null = null;
    for (const member of this.#members.values()) {
      if (openAt(member, rate) > now) continue;
      if (next === null || Math.max(member.served, this.#turn) < Math.max(next.served, this.#turn)) next = member;
    }
    return next;
  }

  /** Returns the grants that expired since the last call. */
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

/** The number of messages that a campaign can receive in addition to its unreported messages. */
const roomOf = ({ ahead }: Member, rate: number): number => AHEAD_SECONDS * rate - ahead;

/**
 * Returns the time from which a campaign can receive a grant. If it has too many unreported messages, it waits until
 * its oldest grant expires, unless a report arrives earlier.
 */
function openAt(member: Member, rate: number): number {
  if (roomOf(member, rate) > 0) return member.readyAt;
  const [oldest] = member.unreported.values();
  return Math.max(member.readyAt, (oldest?.at ?? 0) + REPORT_MS);
}
