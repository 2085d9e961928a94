import { DurableObject, RpcTarget } from "cloudflare:workers";
import { MAX_WAIT_MS, WaitingRequests } from "./event-feed.waiting.ts";

/**
 * Registers one waiting request. The platform disposes of this remote object when the request ends, which removes the
 * registration.
 */
class WaitingRequest extends RpcTarget {
  constructor(
    private readonly requests: WaitingRequests,
    private readonly id: number,
  ) {
    super();
  }

  wait(ms: number): Promise<boolean> {
    return this.requests.wait(this.id, Math.min(ms, MAX_WAIT_MS));
  }

  leave(): void {
    this.requests.leave(this.id);
  }

  [Symbol.dispose](): void {
    this.leave();
  }
}

/**
 * Wakes requests that wait for events of a workspace. Stores nothing: if the object is evicted, the requests read the
 * log again.
 */
export class EventFeed extends DurableObject<Env> {
  private readonly requests = new WaitingRequests();

  enter(caller: string): WaitingRequest | null {
    const id = this.requests.enter(caller, Date.now());
    return id === null ? null : new WaitingRequest(this.requests, id);
  }

  wake(): void {
    this.requests.wake();
  }
}
