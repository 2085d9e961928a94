import { isAtLeast, type Role } from "../../shared/actor.ts";

/** A link of the navigation, below the workspace. */
export interface NavigationItem {
  label: string;
  path: string;
  role: Role;
}

/** Shown in this order, to members who may see the page. */
export const MAIN_NAVIGATION: readonly NavigationItem[] = [
  { label: "Overview", path: "/overview", role: "admin" },
  { label: "Inbox", path: "/inbox", role: "agent" },
  { label: "Contacts", path: "/contacts", role: "agent" },
  { label: "Segments", path: "/segments", role: "agent" },
  { label: "Templates", path: "/templates", role: "admin" },
  { label: "Campaigns", path: "/campaigns", role: "admin" },
  { label: "Settings", path: "/settings", role: "admin" },
];

export const SETTINGS_NAVIGATION: readonly NavigationItem[] = [
  { label: "API keys", path: "/settings/api-keys", role: "admin" },
  { label: "Connections", path: "/settings/connections", role: "admin" },
  { label: "Webhooks", path: "/settings/webhooks", role: "admin" },
  { label: "Events", path: "/settings/events", role: "admin" },
  { label: "Custom fields", path: "/settings/custom-fields", role: "admin" },
  { label: "Tags", path: "/settings/tags", role: "admin" },
  { label: "Members", path: "/settings/members", role: "owner" },
];

/** The items that a member of a role may see and that have a page. */
export const navigationFor = (
  places: readonly NavigationItem[],
  role: Role,
  exists: (path: string) => boolean,
): NavigationItem[] => places.filter((place) => isAtLeast(role, place.role) && exists(place.path));

/** True where `path` is the page of the item or below it. */
export const isCurrent = (place: NavigationItem, path: string): boolean =>
  path === place.path || path.startsWith(`${place.path}/`);
