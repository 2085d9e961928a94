import { DurableObject, RpcTarget } from "cloudflare:workers";
import { MAX_WAIT_MS } from "./event-feed.limits.ts";
import { WaitingRequests } from "./event-feed.waiting.ts";

/** A request's place among those that wait. It is given up with the request, whose end disposes of it. */
class WaitingPlace extends RpcTarget {
  constructor(
    private readonly requests: WaitingRequests,
    private readonly id: number,
  ) {
    super();
  }

  /** Resolves with true as soon as the feed has been woken since the last call, or with false after `ms`. */
  wait(ms: number): Promise<boolean> {
    return this.requests.wait(this.id, Math.min(ms, MAX_WAIT_MS));
  }

  /** Gives the place up, which ends its wait. */
  leave(): void {
    this.requests.leave(this.id);
  }

  [Symbol.dispose](): void {
    this.leave();
  }
}

/** Wakes the requests of one workspace that wait for its next event. Nothing is stored: requests whose place is lost read again. */
export class EventFeed extends DurableObject<Env> {
  private readonly requests = new WaitingRequests();

  /** A place for a request of this caller; null where too many wait already. */
  enter(caller: string): WaitingPlace | null {
    const id = this.requests.enter(caller, Date.now());
    return id === null ? null : new WaitingPlace(this.requests, id);
  }

  wake(): void {
    this.requests.wake();
  }
}
