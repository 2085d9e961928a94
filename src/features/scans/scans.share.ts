// Which workspaces have lately read more than their share. Pure; times in ms.
import { PARTS } from "./scans.windows.ts";

/** What a workspace may have read beyond its share before it takes turns: a handful of pages, however fast they are asked for. */
const ALLOWED_MS = 100;
const MOST_REMEMBERED = 1000;

/**
 * Pages are quick, so that one alone takes no turn; many at a time keep others waiting as a scan does. So the work on a workspace's
 * pages is added up, less what its share of the time that has passed allows.
 */
export class ReadShares {
  private readonly owed = new Map<string, { ms: number; at: number }>();

  note(workspaceId: string, worked: number, now: number): void {
    const ms = this.owedBy(workspaceId, now) + worked;
    this.owed.delete(workspaceId);
    const [oldest] = this.owed.keys();
    if (this.owed.size >= MOST_REMEMBERED && oldest !== undefined) this.owed.delete(oldest);
    this.owed.set(workspaceId, { ms, at: now });
  }

  isExceeded(workspaceId: string, now: number): boolean {
    return this.owedBy(workspaceId, now) > ALLOWED_MS;
  }

  private owedBy(workspaceId: string, now: number): number {
    const { ms, at } = this.owed.get(workspaceId) ?? { ms: 0, at: now };
    return Math.max(0, ms - (now - at) / PARTS);
  }
}
