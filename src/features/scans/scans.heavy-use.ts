// Finds workspaces whose reads keep their database busy. Pure; times in ms.
import { Memo } from "../../shared/memo.ts";
import { MINUTE_MS } from "../../shared/time/durations.ts";
import { WORK_SHARE } from "./scans.slices.ts";

/** Other requests notice a statement that takes longer. */
const SLOW_MS = 15;
const REMEMBERED_MS = MINUTE_MS;

/**
 * A search reads the whole index if many contacts pass each filter and none passes all. So after a slow search, a workspace's
 * searches run one at a time for a minute.
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

/** A few pages, however fast they are requested. */
const ALLOWED_MS = 100;

/**
 * One page is quick and waits for no turn, but many at a time block others as a scan does. So the time of pages is added up, less
 * the workspace's share.
 */
export class ReadShares {
  private readonly excess = new Memo<{ ms: number; at: number }>(1000);

  note(workspaceId: string, worked: number, now: number): void {
    const ms = this.excessOf(workspaceId, now) + worked;
    this.excess.set(workspaceId, { ms, at: now });
  }

  isExceeded(workspaceId: string, now: number): boolean {
    return this.excessOf(workspaceId, now) > ALLOWED_MS;
  }

  private excessOf(workspaceId: string, now: number): number {
    const { ms, at } = this.excess.get(workspaceId) ?? { ms: 0, at: now };
    return Math.max(0, ms - (now - at) * WORK_SHARE);
  }
}
