import { canonicalTimeZone, listTimeZones } from "../../shared/time/time-zones.ts";

const numberFormat = new Intl.NumberFormat("en");
const plural = new Intl.PluralRules("en");

export const formatNumber = (value: number): string => numberFormat.format(value);

export const formatCount = (count: number, one: string, many = `${one}s`): string =>
  `${formatNumber(count)} ${plural.select(count) === "one" ? one : many}`;

/** Returns 0 or 100 only if that is the exact share. For example, 99.99 % becomes 99.9. */
export function toPercent(part: number, total = 1): number {
  if (part <= 0 || total <= 0) return 0;
  if (part >= total) return 100;
  return Math.min(99.9, Math.max(0.1, Math.round((1000 * part) / total) / 10));
}

export function formatShare(part: number, total = 1): string {
  const percent = toPercent(part, total);
  return `${percent.toFixed(percent === 0 || percent === 100 ? 0 : 1)} %`;
}

export const toLabel = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1).replaceAll("_", " ");

export const labelOptions = (values: readonly string[]) => values.map((value) => ({ value, label: toLabel(value) }));

export function formatValue(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.map(formatValue).join(", ");
  return typeof value === "string" ? value : JSON.stringify(value);
}

export function formatDuration(seconds: number): string {
  if (seconds < 60) return `${Math.round(seconds)} s`;
  if (seconds < 3570) return `${Math.round(seconds / 60)} min`;
  if (seconds < 171_000) return `${Math.round(seconds / 3600)} h`;
  return formatCount(Math.round(seconds / 86_400), "day");
}

export function formatBytes(bytes: number): string {
  if (bytes < 1000) return formatCount(bytes, "byte");
  if (bytes < 999_500) return `${Math.round(bytes / 1000)} KB`;
  return `${(bytes / 1_000_000).toFixed(bytes < 9_950_000 ? 1 : 0)} MB`;
}

export function formatMoney(amount: number, currency: string | undefined): string {
  try {
    return new Intl.NumberFormat("en", { style: "currency", currency: currency ?? "" }).format(amount);
  } catch {
    return [amount.toFixed(2), currency].filter((part) => part !== undefined && part !== "").join(" ");
  }
}

export const formatUsername = (username: string): string => (username.startsWith("@") ? username : `@${username}`);

/** All times in the console have 24 hours, and the day before the month. `local-times.client.js` has the same language. */
export const timeFormat = (options: Intl.DateTimeFormatOptions, timeZone = "UTC") =>
  new Intl.DateTimeFormat("en-GB", { ...options, timeZone });

export const formatTimeZone = (zone: string): string => canonicalTimeZone(zone).replaceAll("_", " ");

/**
 * The chosen option keeps the stored name as its value, even if it is an old name such as `Asia/Calcutta`.
 * Otherwise, the form would submit a change that the user did not make.
 */
export function timeZoneOptions(chosen: string) {
  const chosenName = canonicalTimeZone(chosen);
  return [...new Set(["UTC", chosenName, ...listTimeZones()])].map((name) => ({
    value: name === chosenName ? chosen : name,
    label: name.replaceAll("_", " "),
  }));
}
