import { DurableObject } from "cloudflare:workers";
import type { Answered, TurnOutcome, TurnRequest } from "./scans.schemas.ts";
import { TurnQueue } from "./scans.turns.ts";

/**
 * Lets one scan of a workspace run at a time. Nothing is stored: an object that dies forgets who waits, who then ask again, and
 * learns of the scan that runs from its next renewal.
 */
export class ScanTurns extends DurableObject<Env> {
  private readonly queue = new TurnQueue();
  private readonly waiting = new Map<string, (outcome: TurnOutcome) => void>();
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** Answers when the turn is the caller's, the answer is known, or the caller has waited long enough. */
  take(request: TurnRequest): Promise<TurnOutcome> {
    if (!this.queue.add(request, Date.now())) return Promise.resolve({ outcome: "busy" });
    return new Promise((resolve) => {
      this.waiting.set(request.id, resolve);
      this.settle();
    });
  }

  /** False where the turn has been given to somebody else. */
  renew(id: string): boolean {
    return this.queue.renew(id, Date.now());
  }

  /** Gives the turn back, with the answer that was found where others may have it. */
  end(id: string, answered: Answered | null): void {
    this.queue.end(id, answered, Date.now());
    this.settle();
  }

  private settle(): void {
    clearTimeout(this.timer);
    for (const [id, outcome] of this.queue.settle(Date.now())) {
      this.waiting.get(id)?.(outcome);
      this.waiting.delete(id);
    }
    const next = this.queue.nextAt();
    if (next !== null) this.timer = setTimeout(() => this.settle(), Math.max(1, next - Date.now()));
  }
}
