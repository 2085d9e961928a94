// Who of a workspace may scan next. Pure; times in ms.
import type { Answered, TurnOutcome, TurnRequest } from "./scans.schemas.ts";

/** A turn that is not renewed for so long has lost its holder: the request was cut, or its isolate died. */
export const TURN_MS = 5000;
/** How long an answer is given to others who ask the same. */
export const ANSWER_MS = 5000;
/** One owner's requests that may wait at a time. */
export const MOST_WAITING = 20;
const MOST_ANSWERS = 100;

interface Waiting extends TurnRequest {
  until: number;
}

/** One turn at a time, given to the owners in rotation, so that one key with many requests does not keep the others waiting. */
export class TurnQueue {
  private holder: { id: string; expiresAt: number } | null = null;
  /** Requests by owner, in order; the owner served last stands last. */
  private readonly waiting = new Map<string, Waiting[]>();
  private readonly answers = new Map<string, { answer: string; until: number }>();

  /** Takes in a request; `settle` says what becomes of it. False where its owner has too many waiting. */
  add(request: TurnRequest, now: number): boolean {
    const own = this.waiting.get(request.owner) ?? [];
    if (own.length >= MOST_WAITING) return false;
    this.waiting.set(request.owner, [...own, { ...request, until: now + request.waitMs }]);
    return true;
  }

  /** The requests that are decided by now, by id. */
  settle(now: number): Map<string, TurnOutcome> {
    if (this.holder !== null && this.holder.expiresAt <= now) this.holder = null;
    for (const [question, { until }] of this.answers) if (until <= now) this.answers.delete(question);
    const decided = new Map<string, TurnOutcome>();
    this.leaveOut((request) => {
      const known = request.question === null ? undefined : this.answers.get(request.question);
      if (known !== undefined) decided.set(request.id, { outcome: "answered", answer: known.answer });
      else if (request.id === this.holder?.id) decided.set(request.id, { outcome: "granted" });
      return decided.has(request.id);
    });
    const next = this.holder === null ? this.takeNext() : undefined;
    if (next !== undefined) {
      this.holder = { id: next.id, expiresAt: now + TURN_MS };
      decided.set(next.id, { outcome: "granted" });
    }
    this.leaveOut((request) => {
      if (request.until <= now) decided.set(request.id, { outcome: "busy" });
      return decided.has(request.id);
    });
    return decided;
  }

  /** False where somebody else has the turn by now. A turn given by an object that has been restarted since is taken over. */
  renew(id: string, now: number): boolean {
    if (this.holder !== null && this.holder.id !== id && this.holder.expiresAt > now) return false;
    this.holder = { id, expiresAt: now + TURN_MS };
    return true;
  }

  end(id: string, answered: Answered | null, now: number): void {
    if (this.holder?.id === id) this.holder = null;
    if (answered === null) return;
    const [oldest] = this.answers.keys();
    if (this.answers.size >= MOST_ANSWERS && oldest !== undefined) this.answers.delete(oldest);
    this.answers.set(answered.question, { answer: answered.answer, until: now + ANSWER_MS });
  }

  /** When `settle` will decide something that nobody has to call for; null where nobody waits. */
  nextAt(): number | null {
    const times = [...this.waiting.values()].flat().map(({ until }) => until);
    if (times.length === 0) return null;
    return Math.min(...times, this.holder?.expiresAt ?? Infinity);
  }

  private takeNext(): Waiting | undefined {
    const [first] = this.waiting;
    if (first === undefined) return undefined;
    const [owner, [next, ...others]] = first;
    this.waiting.delete(owner);
    if (others.length > 0) this.waiting.set(owner, others);
    return next;
  }

  private leaveOut(isDecided: (request: Waiting) => boolean): void {
    for (const [owner, requests] of this.waiting) {
      const left = requests.filter((request) => !isDecided(request));
      if (left.length > 0) this.waiting.set(owner, left);
      else this.waiting.delete(owner);
    }
  }
}
