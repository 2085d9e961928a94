// Finds the workspaces that have lately read more than their share of the database's time. Pure; times in ms.
import { Memo } from "../../shared/memo.ts";
import { WORK_SHARE } from "./scans.slices.ts";

/** The time beyond its share after which a workspace takes turns: a handful of pages, however fast they are requested. */
const ALLOWED_MS = 100;

/**
 * One page is quick and takes no turn; many at a time keep others waiting as a scan does. So the work on a workspace's pages is
 * added up, less its share of the time that has passed.
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
