// Finds workspaces that recently used more than their share of database time. Pure; times in ms.
import { Memo } from "../../shared/memo.ts";
import { WORK_SHARE } from "./scans.slices.ts";

/**
 * How much time a workspace may exceed its share by before its pages run one at a time: a few pages, however fast they are
 * requested.
 */
const ALLOWED_MS = 100;

/**
 * One page is quick and waits for no turn, but many at a time block others as a scan does. So the work of a workspace's pages is
 * added up, less its share of the elapsed time.
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
