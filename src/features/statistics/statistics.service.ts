import { transact } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { addDays, localDay } from "../../shared/time-zones.ts";
import { countEvents } from "./count-events.ts";
import { selectCountedZone, selectDays } from "./count-events.sql.ts";
import type { NamedCounts } from "./statistics.counts.ts";

export interface DayOfStatistics {
  /** `2026-11-23`, in the workspace's time zone. */
  day: string;
  counts: NamedCounts;
}

/** A person who looks waits for no more than these. */
const PAGES_A_LOOK = 5;

const none: NamedCounts = new Map();

/**
 * The last `days` days, today among them, the first one first, with all that has happened until now; `isComplete` is false where so
 * much has happened since it was last counted that the rest is counted later.
 */
export async function readStatistics(
  ctx: Ctx,
  { days, timeZone }: { days: number; timeZone: string },
): Promise<{ days: DayOfStatistics[]; isComplete: boolean }> {
  const counted = await countEvents(ctx, { timeZone, days, pages: PAGES_A_LOOK });
  const first = addDays(localDay(ctx.now(), timeZone), 1 - days);
  const all = Array.from({ length: days }, (_, n) => addDays(first, n));
  return { days: all.map((day) => ({ day, counts: counted.days.get(day) ?? none })), isComplete: counted.isComplete };
}

/** The last `days` days as they were last counted, a few minutes ago; those without an event are left out. */
export async function listStatistics(ctx: Ctx, days: number): Promise<DayOfStatistics[]> {
  // In no time zone is it a day earlier than this.
  const earliest = addDays(localDay(ctx.now(), "UTC"), -days);
  const { stored, zones } = await transact(ctx.db, {
    stored: selectDays(ctx, earliest),
    zones: selectCountedZone(ctx),
  });
  const since = addDays(localDay(ctx.now(), zones[0]?.time_zone ?? "UTC"), 1 - days);
  return stored.filter(({ day }) => day >= since).map(({ day, counts }) => ({ day, counts: new Map(counts) }));
}
