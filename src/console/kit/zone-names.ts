// Time zones as people choose and read them.
import { canonicalTimeZone, listTimeZones } from "../../shared/time/time-zones.ts";

/** `America/Los Angeles` */
export const formatTimeZone = (zone: string): string => canonicalTimeZone(zone).replaceAll("_", " ");

/** The value of the chosen zone is as it is stored, by which a form is known to be unchanged. */
export function timeZoneOptions(chosen: string) {
  const chosenName = canonicalTimeZone(chosen);
  return [...new Set(["UTC", chosenName, ...listTimeZones()])].map((name) => ({
    value: name === chosenName ? chosen : name,
    label: name.replaceAll("_", " "),
  }));
}
