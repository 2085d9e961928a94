import { canonicalTimeZone, listTimeZones } from "../../shared/time/time-zones.ts";

/** `America/Los Angeles` */
export const formatTimeZone = (zone: string): string => canonicalTimeZone(zone).replaceAll("_", " ");

/** The selected value stays as stored, so that an unchanged form is recognised. */
export function timeZoneOptions(chosen: string) {
  const chosenName = canonicalTimeZone(chosen);
  return [...new Set(["UTC", chosenName, ...listTimeZones()])].map((name) => ({
    value: name === chosenName ? chosen : name,
    label: name.replaceAll("_", " "),
  }));
}
