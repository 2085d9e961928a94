// Which workspaces' searches lately held their database for long. Pure.

import { MINUTE_MS } from "../../shared/durations.ts";

/** A statement that takes longer is felt by others, in ms. */
const SLOW_MS = 15;
const REMEMBERED_MS = MINUTE_MS;
const MOST_REMEMBERED = 1000;

/**
 * How long a search takes cannot be known before: filters that are each met by many and together by nobody are read to the end.
 * So a workspace whose search was slow is held to one at a time for a minute.
 */
export class SlowSearches {
  private readonly until = new Map<string, number>();

  note(workspaceId: string, sqlMs: number, now: number): void {
    if (sqlMs < SLOW_MS) return;
    this.until.delete(workspaceId);
    const [oldest] = this.until.keys();
    if (this.until.size >= MOST_REMEMBERED && oldest !== undefined) this.until.delete(oldest);
    this.until.set(workspaceId, now + REMEMBERED_MS);
  }

  has(workspaceId: string, now: number): boolean {
    return (this.until.get(workspaceId) ?? 0) > now;
  }
}
