import { transact } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { addDays, localDay } from "../../shared/time/time-zones.ts";
import { countEvents } from "./count-events.ts";
import { selectCountedZone, selectDays } from "./count-events.sql.ts";
import type { NamedCounts } from "./statistics.counts.ts";

export interface DayOfStatistics {
  /** For example `2026-11-23`, in the workspace's time zone. */
  day: string;
  counts: NamedCounts;
}

/**
 * The overview counts at most this many pages of new events, so that it responds quickly. The sweep counts the rest.
 */
const PAGES_AT_ONCE = 5;

const none: NamedCounts = new Map();

export async function readStatistics(ctx: Ctx, { days, timeZone }: { days: number; timeZone: string }) {
  const counted = await countEvents(ctx, { timeZone, days, pages: PAGES_AT_ONCE });
  const first = addDays(localDay(ctx.now(), timeZone), 1 - days);
  const all = Array.from({ length: days }, (_, n) => addDays(first, n));
  return { days: all.map((day) => ({ day, counts: counted.days.get(day) ?? none })), isComplete: counted.isComplete };
}

export async function listStatistics(ctx: Ctx, days: number): Promise<DayOfStatistics[]> {
  // Days are stored in the workspace's time zone. No time zone is more than a day behind UTC, so this date is early
  // enough.
  const earliest = addDays(localDay(ctx.now(), "UTC"), -days);
  const { stored, zones } = await transact(ctx.db, {
    stored: selectDays(ctx, earliest),
    zones: selectCountedZone(ctx),
  });
  const since = addDays(localDay(ctx.now(), zones[0]?.timeZone ?? "UTC"), 1 - days);
  return stored.filter(({ day }) => day >= since).map(({ day, counts }) => ({ day, counts: new Map(counts) }));
}
