import { DurableObject, RpcTarget } from "cloudflare:workers";
import { MAX_WAIT_MS, WaitingRequests } from "./event-feed.waiting.ts";

/** A waiting request. Disposed when the request ends, which removes it from the feed. */
class WaitingRequest extends RpcTarget {
  constructor(
    private readonly requests: WaitingRequests,
    private readonly id: number,
  ) {
    super();
  }

  /** Resolves to true when the feed has been woken since the last call, or to false after `ms`. */
  wait(ms: number): Promise<boolean> {
    return this.requests.wait(this.id, Math.min(ms, MAX_WAIT_MS));
  }

  /** Removes the request from the feed and ends its wait. */
  leave(): void {
    this.requests.leave(this.id);
  }

  [Symbol.dispose](): void {
    this.leave();
  }
}

/** Wakes a workspace's requests that wait for its next event. Stores nothing: if the object dies, the requests read again. */
export class EventFeed extends DurableObject<Env> {
  private readonly requests = new WaitingRequests();

  /** Adds a waiting request; null if too many wait. */
  enter(caller: string): WaitingRequest | null {
    const id = this.requests.enter(caller, Date.now());
    return id === null ? null : new WaitingRequest(this.requests, id);
  }

  wake(): void {
    this.requests.wake();
  }
}
