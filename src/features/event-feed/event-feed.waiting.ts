import { SECOND_MS } from "../../shared/time/durations.ts";

export const MAX_WAIT_SECONDS = 20;
export const MAX_WAIT_MS = MAX_WAIT_SECONDS * SECOND_MS;

export const MAX_WAITING = 5;
export const MAX_WAITING_IN_WORKSPACE = 500;

/**
 * A registration is removed after this time, in case its request ended without calling `leave`. The time is enough for
 * the longest wait and the reads before and after it.
 */
export const MAX_STAY_MS = MAX_WAIT_MS + 10 * SECOND_MS;

interface Stay {
  caller: string;
  until: number;
  /** True if an event arrived while the request was reading and not waiting. The next wait then ends at once. */
  isWoken: boolean;
  resolve: ((isWoken: boolean) => void) | null;
}

/**
 * The requests of a workspace that wait for events. A request stays registered while it reads between two waits, so
 * that it does not miss an event that arrives during the read.
 */
export class WaitingRequests {
  private readonly stays = new Map<number, Stay>();
  private lastId = 0;

  enter(caller: string, now: number): number | null {
    for (const [id, { until }] of this.stays) if (until <= now) this.leave(id);
    const ofCaller = [...this.stays.values()].filter((stay) => stay.caller === caller);
    if (ofCaller.length >= MAX_WAITING || this.stays.size >= MAX_WAITING_IN_WORKSPACE) return null;
    this.stays.set(++this.lastId, { caller, until: now + MAX_STAY_MS, isWoken: false, resolve: null });
    return this.lastId;
  }

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
