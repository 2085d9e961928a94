import { Memo } from "./memo.ts";
import { DAY_MS } from "./durations.ts";

/** The runtime gives these zones names that are no longer theirs. */
const currentNames = new Map([
  ["Africa/Asmera", "Africa/Asmara"],
  ["America/Buenos_Aires", "America/Argentina/Buenos_Aires"],
  ["America/Catamarca", "America/Argentina/Catamarca"],
  ["America/Coral_Harbour", "America/Atikokan"],
  ["America/Cordoba", "America/Argentina/Cordoba"],
  ["America/Godthab", "America/Nuuk"],
  ["America/Indianapolis", "America/Indiana/Indianapolis"],
  ["America/Jujuy", "America/Argentina/Jujuy"],
  ["America/Louisville", "America/Kentucky/Louisville"],
  ["America/Mendoza", "America/Argentina/Mendoza"],
  ["Asia/Calcutta", "Asia/Kolkata"],
  ["Asia/Katmandu", "Asia/Kathmandu"],
  ["Asia/Rangoon", "Asia/Yangon"],
  ["Asia/Saigon", "Asia/Ho_Chi_Minh"],
  ["Atlantic/Faeroe", "Atlantic/Faroe"],
  ["Europe/Kiev", "Europe/Kyiv"],
  ["Pacific/Enderbury", "Pacific/Kanton"],
  ["Pacific/Ponape", "Pacific/Pohnpei"],
  ["Pacific/Truk", "Pacific/Chuuk"],
]);

const todaysName = (listed: string): string => currentNames.get(listed) ?? listed;

/** The names of all zones of places. UTC is none. */
export const listTimeZones = (): string[] => Intl.supportedValuesOf("timeZone").map(todaysName).toSorted();

/** Making one takes long. `en-CA` writes days as ISO 8601 does. */
const dayFormats = new Memo<Intl.DateTimeFormat>(100);

function dayFormatOf(timeZone: string): Intl.DateTimeFormat {
  const known = dayFormats.get(timeZone);
  if (known !== undefined) return known;
  const parts = { year: "numeric", month: "2-digit", day: "2-digit" } as const;
  return dayFormats.set(timeZone, new Intl.DateTimeFormat("en-CA", { timeZone, ...parts }));
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

/**
 * A time zone as it is spelled today: of `europe/berlin` Europe/Berlin, of `Asia/Calcutta` Asia/Kolkata. Other names of a zone, `US/Pacific`
 * and `CET`, stay, as people may not know the one that the runtime prefers.
 */
export function canonicalTimeZone(name: string): string {
  if (!isTimeZone(name)) return name; // stored while the runtime knew it
  const resolved = dayFormatOf(name).resolvedOptions().timeZone;
  const isSpelling = (other: string): boolean => other.toLowerCase() === name.toLowerCase();
  return isSpelling(resolved) || isSpelling(todaysName(resolved)) ? todaysName(resolved) : name;
}

/** The day that a time (ms since the epoch) falls on in a time zone: `2026-11-23`. */
export const localDay = (at: number, timeZone: string): string => dayFormatOf(timeZone).format(at);

/** The day so many days later; earlier where it is negative. */
export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, day.length);
