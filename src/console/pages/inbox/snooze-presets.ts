import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../shared/time/durations.ts";

const MORNING_HOUR = 9;
const LATER_HOURS = 3;
const MONDAY = 1;

const clockIn = (zone: string, at: number): number =>
  Date.parse(
    `${new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeStyle: "medium", timeZone: zone }).format(at).replace(" ", "T")}Z`,
  );

/**
 * Converts a local time to a timestamp. `guess` uses the zone's offset at `clock` in UTC, so it can be wrong by an
 * hour when daylight saving time starts or ends. The second line therefore uses the offset at `guess`.
 */
function momentOf(zone: string, clock: number): number {
  const guess = clock - (clockIn(zone, clock) - clock);
  return guess - (clockIn(zone, guess) - clock);
}

export function snoozePresets(now: number, zone: string): { label: string; at: number }[] {
  const today = Math.floor(clockIn(zone, now) / DAY_MS) * DAY_MS;
  const daysToMonday = (MONDAY + 7 - new Date(today).getUTCDay()) % 7 || 7;
  const morningIn = (days: number) => momentOf(zone, today + days * DAY_MS + MORNING_HOUR * HOUR_MS);
  return [
    // Rounds up to a full minute. Otherwise, the menu would change at every refresh of the page.
    { label: `In ${LATER_HOURS} hours`, at: Math.ceil(now / MINUTE_MS) * MINUTE_MS + LATER_HOURS * HOUR_MS },
    { label: "Tomorrow morning", at: morningIn(1) },
    { label: "Next week", at: morningIn(daysToMonday) },
  ];
}
