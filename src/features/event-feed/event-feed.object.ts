import { DurableObject, RpcTarget } from "cloudflare:workers";
import { MAX_WAIT_MS, WaitingRequests } from "./event-feed.waiting.ts";

/**
 * The remote object that a waiting request holds. When the request ends, the platform disposes of this object, and that
 * removes the registration of the request.
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
 * Wakes requests that wait for events of a workspace. The object stores nothing. If the platform evicts it, the `wait`
 * calls of the requests fail, and each request reads the log once more before it responds.
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
