import { BoundedMap } from "./bounded-map.ts";
import { DAY_MS } from "./durations.ts";

/** Making one takes long. `en-CA` writes days as ISO 8601 does. */
const dayFormats = new BoundedMap<Intl.DateTimeFormat>(100);

function dayFormatOf(timeZone: string): Intl.DateTimeFormat {
  const made =
    dayFormats.get(timeZone) ??
    new Intl.DateTimeFormat("en-CA", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" });
  dayFormats.set(timeZone, made);
  return made;
}

/** True for an IANA name, `Europe/Berlin`; not for an offset, which knows no summer time. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    dayFormatOf(name);
    return true;
  } catch {
    return false;
  }
}

/** The day that a time (ms since the epoch) falls on in a time zone: `2026-11-23`. */
export const localDay = (at: number, timeZone: string): string => dayFormatOf(timeZone).format(at);

/** The day so many days later; earlier where it is negative. */
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, day.length);
