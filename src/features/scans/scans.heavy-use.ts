// Finds workspaces whose reads take too much time. Pure; times in ms.
import { Memo } from "../../shared/memo.ts";
import { presentingMs, WORK_SHARE } from "./scans.slices.ts";

/** A workspace counts as active for this time after its last request. */
const RECENT_MS = 1000;

/** Remembers the two workspaces that made the last requests. */
export class RecentWorkspaces {
  private last = { id: "", at: -Infinity };
  private other = this.last;

  note(workspaceId: string, now: number): void {
    if (this.last.id !== workspaceId) this.other = this.last;
    this.last = { id: workspaceId, at: now };
  }

  hasOther(workspaceId: string, now: number): boolean {
    const { at } = this.last.id === workspaceId ? this.other : this.last;
    return now - at < RECENT_MS;
  }
}

/** This is an estimate, because the measured time would include other work of the machine. */
const MS_PER_ROW = 0.002;
/** A workspace can exceed its share by this time, so that a few pages need no turn. */
const ALLOWED_MS = 100;

export interface ReadWork {
  rowsRead: number;
  contacts: number;
  /** True if other workspaces make requests to this isolate and wait while it presents contacts. */
  delaysOthers: boolean;
}

/**
 * Adds up the time that a workspace's requests for pages of contacts take, minus `WORK_SHARE` of the time that has
 * passed. Many such requests at once delay other workspaces as much as one long scan, so a workspace above its share
 * must wait for a turn.
 */
export class ReadShares {
  private readonly excess = new Memo<{ ms: number; at: number }>(1000);

  note(workspaceId: string, { rowsRead, contacts, delaysOthers }: ReadWork, now: number): void {
    const worked = rowsRead * MS_PER_ROW + (delaysOthers ? presentingMs(contacts) : 0);
    this.excess.set(workspaceId, { ms: this.excessOf(workspaceId, now) + worked, at: now });
  }

  isExceeded(workspaceId: string, now: number): boolean {
    return this.excessOf(workspaceId, now) > ALLOWED_MS;
  }

  private excessOf(workspaceId: string, now: number): number {
    const { ms, at } = this.excess.get(workspaceId) ?? { ms: 0, at: now };
    return Math.max(0, ms - (now - at) * WORK_SHARE);
  }
}
