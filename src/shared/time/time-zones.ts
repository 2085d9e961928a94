import { Memo } from "../memo.ts";
import { DAY_MS } from "./durations.ts";

/** Old names of zones and their current names. The runtime still returns the old ones. */
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

export const listTimeZones = (): string[] => Intl.supportedValuesOf("timeZone").map(todaysName).toSorted();

/** Caches the formats, because creating one is slow. Uses the locale `en-CA`, which writes a day as `2026-11-23`. */
const dayFormats = new Memo<Intl.DateTimeFormat>(100);

function dayFormatOf(timeZone: string): Intl.DateTimeFormat {
  const known = dayFormats.get(timeZone);
  if (known !== undefined) return known;
  const parts = { year: "numeric", month: "2-digit", day: "2-digit" } as const;
  return dayFormats.set(timeZone, new Intl.DateTimeFormat("en-CA", { timeZone, ...parts }));
}

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
 * Returns the current spelling of a zone: `europe/berlin` becomes Europe/Berlin, and `Asia/Calcutta` becomes
 * Asia/Kolkata. Keeps an alias such as `US/Pacific`, because its user may not know the canonical name.
 */
export function canonicalTimeZone(name: string): string {
  if (!isTimeZone(name)) return name; // the runtime no longer knows this stored name
  const resolved = dayFormatOf(name).resolvedOptions().timeZone;
  const isSpelling = (other: string): boolean => other.toLowerCase() === name.toLowerCase();
  return isSpelling(resolved) || isSpelling(todaysName(resolved)) ? todaysName(resolved) : name;
}

export const localDay = (at: number, timeZone: string): string => dayFormatOf(timeZone).format(at);

export const addDays = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, day.length);
