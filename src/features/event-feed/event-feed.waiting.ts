// How long requests wait for events, and how many may wait. Pure.
import { SECOND_MS } from "../../shared/time/durations.ts";

/** The longest wait, in seconds. */
export const MAX_WAIT_SECONDS = 20;
export const MAX_WAIT_MS = MAX_WAIT_SECONDS * SECOND_MS;

/** The most waiting requests of one key or member. */
export const MAX_WAITING = 5;
/** The most waiting requests of a workspace. */
export const MAX_WAITING_IN_WORKSPACE = 500;

/** A request that never left the feed is removed after the longest wait plus the time to read. */
export const MAX_STAY_MS = MAX_WAIT_MS + 10 * SECOND_MS;

/** One waiting request. */
interface Stay {
  caller: string;
  /** The request is removed after this time, even if it has not left. */
  until: number;
  /** True if the feed was woken while the request was not waiting. */
  isWoken: boolean;
  /** Ends the wait. */
  resolve: ((isWoken: boolean) => void) | null;
}

/**
 * The requests that wait at a feed. Each stays from before it reads the log until its response, so it misses no wake between reads.
 */
export class WaitingRequests {
  private readonly stays = new Map<number, Stay>();
  private lastId = 0;

  /** Adds a request and returns its id; null if too many wait. */
  enter(caller: string, now: number): number | null {
    for (const [id, { until }] of this.stays) if (until <= now) this.leave(id);
    const ofCaller = [...this.stays.values()].filter((stay) => stay.caller === caller);
    if (ofCaller.length >= MAX_WAITING || this.stays.size >= MAX_WAITING_IN_WORKSPACE) return null;
    this.stays.set(++this.lastId, { caller, until: now + MAX_STAY_MS, isWoken: false, resolve: null });
    return this.lastId;
  }

  /** Resolves to true when the feed has been woken since the last call. Resolves to false after `ms`, or after the request left. */
  wait(id: number, ms: number): Promise<boolean> {
    const stay = this.stays.get(id);
    if (stay === undefined) return Promise.resolve(false);
    if (stay.isWoken) {
      stay.isWoken = false;
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      const timer = setTimeout(() => end(false), ms);
      const end = (isWoken: boolean) => {
        clearTimeout(timer);
        stay.resolve = null;
        resolve(isWoken);
      };
      stay.resolve = end;
    });
  }

  leave(id: number): void {
    this.stays.get(id)?.resolve?.(false);
    this.stays.delete(id);
  }

  wake(): void {
    for (const stay of this.stays.values()) {
      if (stay.resolve === null) stay.isWoken = true;
      else stay.resolve(true);
    }
  }
}
