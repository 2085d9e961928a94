import { canonicalTimeZone, listTimeZones } from "../../shared/time/time-zones.ts";

const numberFormat = new Intl.NumberFormat("en");
const plural = new Intl.PluralRules("en");

export const formatNumber = (value: number): string => numberFormat.format(value);

/** `3 contacts`, `1 contact`. */
export const formatCount = (count: number, one: string, many = `${one}s`): string =>
  `${formatNumber(count)} ${plural.select(count) === "one" ? one : many}`;

/** Percent with one decimal. Only exact shares are 0 or 100. */
export function toPercent(part: number, total = 1): number {
  if (part <= 0 || total <= 0) return 0;
  if (part >= total) return 100;
  return Math.min(99.9, Math.max(0.1, Math.round((1000 * part) / total) / 10));
}

/** `99.7 %`. `0 %` and `100 %` are exact. */
export function formatShare(part: number, total = 1): string {
  const percent = toPercent(part, total);
  return `${percent.toFixed(percent === 0 || percent === 100 ? 0 : 1)} %`;
}

/** `lifecycle_stage` as `Lifecycle stage`. */
export const toLabel = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1).replaceAll("_", " ");

export const labelOptions = (values: readonly string[]) => values.map((value) => ({ value, label: toLabel(value) }));

export function formatValue(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.map(formatValue).join(", ");
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** `40 s`, `12 min`, `3 h`, `2 days`. */
export function formatDuration(seconds: number): string {
  if (seconds < 60) return `${Math.round(seconds)} s`;
  if (seconds < 3570) return `${Math.round(seconds / 60)} min`;
  if (seconds < 171_000) return `${Math.round(seconds / 3600)} h`;
  return formatCount(Math.round(seconds / 86_400), "day");
}

/** `3.2 MB`, `812 KB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return formatCount(bytes, "byte");
  if (bytes < 999_500) return `${Math.round(bytes / 1000)} KB`;
  return `${(bytes / 1_000_000).toFixed(bytes < 9_950_000 ? 1 : 0)} MB`;
}

/** `€12.50`, or with the currency code if the currency is unknown. */
export function formatMoney(amount: number, currency: string | undefined): string {
  try {
    return new Intl.NumberFormat("en", { style: "currency", currency: currency ?? "" }).format(amount);
  } catch {
    return [amount.toFixed(2), currency].filter((part) => part !== undefined && part !== "").join(" ");
  }
}

/** `@ann`. Some providers send usernames without the sign. */
export const formatUsername = (username: string): string => (username.startsWith("@") ? username : `@${username}`);

export const formatTimeZone = (zone: string): string => canonicalTimeZone(zone).replaceAll("_", " ");

/** The selected value stays as stored, so that an unchanged form is recognised. */
export function timeZoneOptions(chosen: string) {
  const chosenName = canonicalTimeZone(chosen);
  return [...new Set(["UTC", chosenName, ...listTimeZones()])].map((name) => ({
    value: name === chosenName ? chosen : name,
    label: name.replaceAll("_", " "),
  }));
}
