// Tracks workspaces whose recent searches kept their database busy. Pure.
import { Memo } from "../../shared/memo.ts";
import { MINUTE_MS } from "../../shared/time/durations.ts";

/** In ms. Other requests notice a statement that takes longer. */
const SLOW_MS = 15;
const REMEMBERED_MS = MINUTE_MS;

/**
 * A search's duration is unknown in advance: if many contacts pass each filter and none passes all, the whole index is read. So
 * after a slow search, a workspace's searches run one at a time for a minute.
 */
export class SlowSearches {
  private readonly slow = new Memo<true>(1000, REMEMBERED_MS);

  note(workspaceId: string, sqlMs: number, now: number): void {
    if (sqlMs >= SLOW_MS) this.slow.set(workspaceId, true, now);
  }

  has(workspaceId: string, now: number): boolean {
    return this.slow.get(workspaceId, now) === true;
  }
}
