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
  /** The request asks again after this time while it waits. Missing in requests of earlier versions. */
  askMs?: number;
}

export type TurnDecision =
  | { outcome: "granted" }
  | { outcome: "answered"; answer: string }
  /** The request keeps its place for `AWAY_MS`, in which it must ask again. */
  | { outcome: "waiting" }
  | { outcome: "busy" };

export interface CachedAnswer {
  question: string;
  answer: string;
}

/** A turn ends after this time unless it is renewed, because its request or isolate may have died. */
export const TURN_MS = 5000;
/** A request must confirm a new turn within this time, because its client may have left while the request waited. */
export const CONFIRM_MS = 1500;
/** A request that does not ask again within this time loses its place, because its isolate has died. */
export const AWAY_MS = 1000;
export const ANSWER_MS = 5000;
export const MAX_WAITING_SCANS = 20;
/** Longer than the time after which rejected requests are repeated. */
const KEPT_MS = MINUTE_MS;
const MAX_ANSWERS = 100;

interface Waiting extends TurnRequest {
  until: number;
  asksUntil: number;
  /** True if the request is told `waiting` and has not asked again yet. */
  isAway: boolean;
}

interface Owner {
  requests: Waiting[];
  /**
   * If all requests of the owner are rejected, the owner keeps its position in the rotation until this time. Otherwise
   * short waits would never succeed in a long rotation.
   */
  keptUntil: number;
}

const dueAt = ({ until, asksUntil, isAway }: Waiting): number =>
  isAway ? asksUntil + AWAY_MS : Math.min(until, asksUntil);

/** Grants one turn at a time, in rotation over owners, so that one key with many requests does not block other keys. */
export class TurnQueue {
  private holder: { id: string; expiresAt: number } | null = null;
  /** An owner that gets a turn moves to the end of the map. */
  private readonly owners = new Map<string, Owner>();
  private readonly answers = new Memo<string>(MAX_ANSWERS, ANSWER_MS);

  /**
   * Adds a request, or keeps its place if it asks again. A later `decide` returns the decision. Returns false if too
   * many requests of the owner already wait.
   */
  add(request: TurnRequest, now: number): boolean {
    const { id, owner, waitMs, askMs = Infinity, maxWaiting = MAX_WAITING_SCANS } = request;
    const own = this.owners.get(owner)?.requests ?? [];
    const until = now + waitMs;
    const added: Waiting = { ...request, until, asksUntil: now + askMs, isAway: false };
    const at = own.findIndex((other) => other.id === id);
    if (at === -1 && own.length >= maxWaiting) return false;
    const requests = at === -1 ? [...own, added] : own.with(at, added);
    this.owners.set(owner, { requests, keptUntil: until + KEPT_MS });
    return true;
  }

  decide(now: number): Map<string, TurnDecision> {
    if (this.holder !== null && this.holder.expiresAt <= now) this.holder = null;
    const decided = new Map<string, TurnDecision>();
    this.remove(now, (request) => {
      if (request.isAway) return request.asksUntil + AWAY_MS <= now;
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
    this.remove(now, ({ id, until, isAway }) => {
      if (!isAway && until <= now) decided.set(id, { outcome: "busy" });
      return decided.has(id);
    });
    for (const request of this.#requests) {
      if (request.isAway || request.asksUntil > now) continue;
      request.isAway = true;
      decided.set(request.id, { outcome: "waiting" });
    }
    return decided;
  }

  /** Returns false if another request has the turn. After a restart, the queue is empty and grants the turn again. */
  renew(id: string, now: number): boolean {
    if (this.holder !== null && this.holder.id !== id && this.holder.expiresAt > now) return false;
    this.holder = { id, expiresAt: now + TURN_MS };
    return true;
  }

  end(id: string, answered: CachedAnswer | null, now: number): void {
    this.remove(now, (request) => request.id === id);
    if (this.holder?.id === id) this.holder = null;
    if (answered !== null) this.answers.set(answered.question, answered.answer, now);
  }

  /** Null if no request waits. */
  nextAt(): number | null {
    const times = this.#requests.map(dueAt);
    if (times.length === 0) return null;
    return Math.min(...times, this.holder?.expiresAt ?? Infinity);
  }

  get #requests(): Waiting[] {
    return [...this.owners.values()].flatMap(({ requests }) => requests);
  }

  private takeNext(): Waiting | undefined {
    for (const [owner, { requests, keptUntil }] of this.owners) {
      const next = requests.find(({ isAway }) => !isAway);
      if (next === undefined) continue;
      const others = requests.filter((request) => request !== next);
      this.owners.delete(owner);
      if (others.length > 0) this.owners.set(owner, { requests: others, keptUntil });
      return next;
    }
    return undefined;
  }

  private remove(now: number, isOver: (request: Waiting) => boolean): void {
    for (const [name, owner] of this.owners) {
      owner.requests = owner.requests.filter((request) => !isOver(request));
      if (owner.requests.length === 0 && owner.keptUntil <= now) this.owners.delete(name);
    }
  }
}
