import { DurableObject } from "cloudflare:workers";
import { type CachedAnswer, type TurnDecision, type TurnRequest, TurnQueue } from "./scans.turn-queue.ts";

/**
 * Lets a workspace run one scan at a time. The object stores nothing: if it dies, waiting requests call again, and the
 * running scan renews its turn.
 */
export class ScanTurns extends DurableObject<Env> {
  private readonly queue = new TurnQueue();
  private readonly waiting = new Map<string, (decision: TurnDecision) => void>();
  private timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * Resolves when the caller gets the turn, when another request has computed the answer, or after `waitMs`. After
   * `askMs`, resolves with `waiting`.
   */
  take(request: TurnRequest): Promise<TurnDecision> {
    if (!this.queue.add(request, Date.now())) return Promise.resolve({ outcome: "busy" });
    return new Promise((resolve) => {
      this.waiting.set(request.id, resolve);
      this.decide();
    });
  }

  renew(id: string): boolean {
    return this.queue.renew(id, Date.now());
  }

  /** Ends the turn of a request, or removes a request that waits. */
  end(id: string, answered: CachedAnswer | null): void {
    this.queue.end(id, answered, Date.now());
    this.waiting.get(id)?.({ outcome: "busy" });
    this.waiting.delete(id);
    this.decide();
  }

  private decide(): void {
    clearTimeout(this.timer);
    for (const [id, decision] of this.queue.decide(Date.now())) {
      this.waiting.get(id)?.(decision);
      this.waiting.delete(id);
    }
    const next = this.queue.nextAt();
    if (next !== null) this.timer = setTimeout(() => this.decide(), Math.max(1, next - Date.now()));
  }
}
