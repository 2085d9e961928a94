import { MAX_WAITING, MAX_WAITING_IN_WORKSPACE, PLACE_MS } from "./event-feed.limits.ts";

interface Place {
  caller: string;
  /** From then on the place is free, whoever has it. */
  until: number;
  /** True where the feed was woken and the request does not know yet. */
  isWoken: boolean;
  /** Ends the wait. */
  resolve: ((isWoken: boolean) => void) | null;
}

/** The requests that wait at a feed, each with a place from before it reads the log until its answer: no wake-up is missed between. */
export class WaitingRequests {
  private readonly places = new Map<number, Place>();
  private lastId = 0;

  /** The id of the caller's place; null where too many wait already. */
  enter(caller: string, now: number): number | null {
    for (const [id, { until }] of this.places) if (until <= now) this.leave(id);
    const ofCaller = [...this.places.values()].filter((place) => place.caller === caller);
    if (ofCaller.length >= MAX_WAITING || this.places.size >= MAX_WAITING_IN_WORKSPACE) return null;
    this.places.set(++this.lastId, { caller, until: now + PLACE_MS, isWoken: false, resolve: null });
    return this.lastId;
  }

  /** Gives true once the feed has been woken since the last call, false after `ms` or where the place is lost. */
  wait(id: number, ms: number): Promise<boolean> {
    const place = this.places.get(id);
    if (place === undefined) return Promise.resolve(false);
    if (place.isWoken) {
      place.isWoken = false;
      return Promise.resolve(true);
    }
    return new Promise((resolve) => {
      const timer = setTimeout(() => end(false), ms);
      const end = (isWoken: boolean) => {
        clearTimeout(timer);
        place.resolve = null;
        resolve(isWoken);
      };
      place.resolve = end;
    });
  }

  leave(id: number): void {
    this.places.get(id)?.resolve?.(false);
    this.places.delete(id);
  }

  wake(): void {
    for (const place of this.places.values()) {
      if (place.resolve === null) place.isWoken = true;
      else place.resolve(true);
    }
  }
}
