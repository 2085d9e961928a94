// Finds workspaces whose reads take too much time of their database. Pure; times in ms.
import { Memo } from "../../shared/memo.ts";
import { MINUTE_MS } from "../../shared/time/durations.ts";
import { WORK_SHARE } from "./scans.slices.ts";

/** A statement that takes longer delays other requests noticeably. */
const SLOW_MS = 15;
const REMEMBERED_MS = MINUTE_MS;

/**
 * After a slow search, a workspace's searches run one at a time for a minute. A search reads the whole index if many
 * contacts pass each filter, but no contact passes all filters.
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

/** The time that a few pages take, however fast they are requested. */
const ALLOWED_MS = 100;

/**
 * Adds up the time of a workspace's pages, and subtracts the workspace's share. One page is quick and needs no turn,
 * but many pages at a time delay other requests like a scan.
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
