import { isAtLeast, type Role } from "../../shared/actor.ts";

/** A place that the navigation leads to, below the workspace. */
export interface Place {
  label: string;
  path: string;
  role: Role;
}

/** In this order; shown to those who may, once there is a page. */
export const PLACES: readonly Place[] = [
  { label: "Overview", path: "/overview", role: "admin" },
  { label: "Inbox", path: "/inbox", role: "agent" },
  { label: "Contacts", path: "/contacts", role: "agent" },
  { label: "Segments", path: "/segments", role: "agent" },
  { label: "Templates", path: "/templates", role: "admin" },
  { label: "Campaigns", path: "/campaigns", role: "admin" },
  { label: "Settings", path: "/settings", role: "admin" },
];

export const SETTINGS: readonly Place[] = [
  { label: "API keys", path: "/settings/api-keys", role: "admin" },
  { label: "Connections", path: "/settings/connections", role: "admin" },
  { label: "Custom fields", path: "/settings/custom-fields", role: "admin" },
  { label: "Tags", path: "/settings/tags", role: "admin" },
  { label: "Members", path: "/settings/members", role: "owner" },
];

/** Those that somebody of this role may see. `exists` tells what pages there are. */
export const placesFor = (places: readonly Place[], role: Role, exists: (path: string) => boolean): Place[] =>
  places.filter((place) => isAtLeast(role, place.role) && exists(place.path));

/** Whether a page is at a place or below it. */
export const isAt = (place: Place, path: string): boolean => path === place.path || path.startsWith(`${place.path}/`);
