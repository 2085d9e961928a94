// Decides which request of a workspace scans next. Pure; times in ms.
import { Memo } from "../../shared/memo.ts";
import { MINUTE_MS } from "../../shared/time/durations.ts";

/** Passed between versions of the Worker, so fields can only be added. */
export interface TurnRequest {
  /** Chosen by the caller, so that a repeated call is the same request. */
  id: string;
  /** The key or member that sent the request, or a kind of job. Owners take turns in rotation. */
  owner: string;
  waitMs: number;
  /** If this many requests of the owner already wait, the request is rejected. By default `MAX_WAITING_SCANS`. */
  maxWaiting?: number;
  /** Requests with the same question share an answer. Null if the request cannot share an answer. */
  question: string | null;
  /** True if the request renews its turn before its first batch. Missing in requests of earlier versions. */
  confirms?: boolean;
}

export type TurnDecision = { outcome: "granted" } | { outcome: "answered"; answer: string } | { outcome: "busy" };

export interface CachedAnswer {
  question: string;
  answer: string;
}

/** A turn ends after this time unless it is renewed, because its request or isolate may have died. */
export const TURN_MS = 5000;
/** A request must confirm a new turn within this time, because its client may have left while the request waited. */
export const CONFIRM_MS = 1500;
export const ANSWER_MS = 5000;
export const MAX_WAITING_SCANS = 20;
/** Longer than the time after which rejected requests are repeated. */
const KEPT_MS = MINUTE_MS;
const MAX_ANSWERS = 100;

interface Waiting extends TurnRequest {
  until: number;
}

interface Owner {
  requests: Waiting[];
  /**
   * If all requests of the owner are rejected, the owner keeps its position in the rotation until this time. Otherwise
   * short waits would never succeed in a long rotation.
   */
  keptUntil: number;
}

/** Grants one turn at a time, in rotation over owners, so that one key with many requests does not block other keys. */
export class TurnQueue {
  private holder: { id: string; expiresAt: number } | null = null;
  /** An owner that gets a turn moves to the end of the map. */
  private readonly owners = new Map<string, Owner>();
  private readonly answers = new Memo<string>(MAX_ANSWERS, ANSWER_MS);

  /**
   * Adds a request. A later `decide` returns the decision. Returns false if too many requests of the owner already
   * wait.
   */
  add(request: TurnRequest, now: number): boolean {
    const { owner, maxWaiting = MAX_WAITING_SCANS } = request;
    const { requests: others } = this.owners.get(owner) ?? { requests: [] };
    if (others.length >= maxWaiting) return false;
    const until = now + request.waitMs;
    this.owners.set(owner, { requests: [...others, { ...request, until }], keptUntil: until + KEPT_MS });
    return true;
  }

  decide(now: number): Map<string, TurnDecision> {
    if (this.holder !== null && this.holder.expiresAt <= now) this.holder = null;
    const decided = new Map<string, TurnDecision>();
    this.removeDecided(now, (request) => {
      const answer = request.question === null ? undefined : this.answers.get(request.question, now);
      if (answer !== undefined) decided.set(request.id, { outcome: "answered", answer });
      else if (request.id === this.holder?.id) decided.set(request.id, { outcome: "granted" });
      return decided.has(request.id);
    });
    const next = this.holder === null ? this.takeNext() : undefined;
    if (next !== undefined) {
      this.holder = { id: next.id, expiresAt: now + (next.confirms === true ? CONFIRM_MS : TURN_MS) };
      decided.set(next.id, { outcome: "granted" });
    }
    this.removeDecided(now, (request) => {
      if (request.until <= now) decided.set(request.id, { outcome: "busy" });
      return decided.has(request.id);
    });
    return decided;
  }

  /** Returns false if another request has the turn. After a restart, the queue is empty and grants the turn again. */
  renew(id: string, now: number): boolean {
    if (this.holder !== null && this.holder.id !== id && this.holder.expiresAt > now) return false;
    this.holder = { id, expiresAt: now + TURN_MS };
    return true;
  }

  end(id: string, answered: CachedAnswer | null, now: number): void {
    if (this.holder?.id === id) this.holder = null;
    if (answered !== null) this.answers.set(answered.question, answered.answer, now);
  }

  /** Null if no request waits. */
  nextAt(): number | null {
    const times = [...this.owners.values()].flatMap(({ requests }) => requests.map(({ until }) => until));
    if (times.length === 0) return null;
    return Math.min(...times, this.holder?.expiresAt ?? Infinity);
  }

  private takeNext(): Waiting | undefined {
    for (const [owner, { requests, keptUntil }] of this.owners) {
      const [next, ...others] = requests;
      if (next === undefined) continue;
      this.owners.delete(owner);
      if (others.length > 0) this.owners.set(owner, { requests: others, keptUntil });
      return next;
    }
    return undefined;
  }

  private removeDecided(now: number, isDecided: (request: Waiting) => boolean): void {
    for (const [name, owner] of this.owners) {
      owner.requests = owner.requests.filter((request) => !isDecided(request));
      if (owner.requests.length === 0 && owner.keptUntil <= now) this.owners.delete(name);
    }
  }
}
