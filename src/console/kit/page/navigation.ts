import { isAtLeast, type Role } from "../../../shared/access/actor.ts";
import type { IconName } from "../icon.tsx";

export interface NavigationItem {
  label: string;
  path: string;
  role: Role;
  icon: IconName;
  keys?: string;
  isRare?: true;
}

export const UNREAD_LIMIT = 100;

export const MAIN_NAVIGATION: readonly NavigationItem[] = [
  { label: "Overview", path: "/overview", role: "admin", icon: "layout-dashboard", keys: "g o" },
  { label: "Inbox", path: "/inbox", role: "agent", icon: "inbox", keys: "g i" },
  { label: "Contacts", path: "/contacts", role: "agent", icon: "users", keys: "g c" },
  { label: "Segments", path: "/segments", role: "agent", icon: "funnel", keys: "g s", isRare: true },
  { label: "Templates", path: "/templates", role: "admin", icon: "layout-template", keys: "g t", isRare: true },
  { label: "Campaigns", path: "/campaigns", role: "admin", icon: "megaphone", keys: "g p" },
  { label: "Settings", path: "/settings", role: "agent", icon: "settings", keys: "g ,", isRare: true },
];

export const SETTINGS_NAVIGATION: readonly NavigationItem[] = [
  { label: "Workspace", path: "/settings/workspace", role: "admin", icon: "building-2" },
  { label: "API keys", path: "/settings/api-keys", role: "admin", icon: "key-round" },
  { label: "API requests", path: "/settings/requests", role: "admin", icon: "scroll-text" },
  { label: "Connections", path: "/settings/connections", role: "admin", icon: "plug" },
  { label: "Webhooks", path: "/settings/webhooks", role: "admin", icon: "webhook" },
  { label: "Events", path: "/settings/events", role: "admin", icon: "activity" },
  { label: "Custom fields", path: "/settings/custom-fields", role: "admin", icon: "text-cursor-input" },
  { label: "Tags", path: "/settings/tags", role: "admin", icon: "tag" },
  { label: "Canned replies", path: "/settings/canned-replies", role: "agent", icon: "message-square" },
  { label: "Members", path: "/settings/members", role: "owner", icon: "users-round" },
];

export const FURTHER_PAGES: readonly Omit<NavigationItem, "icon">[] = [
  { label: "New contact", path: "/contacts/new", role: "agent" },
  { label: "Import contacts", path: "/contacts/import", role: "agent" },
  { label: "Export contacts", path: "/contacts/export", role: "admin" },
  { label: "Bulk edits", path: "/contacts/jobs", role: "agent" },
  { label: "New segment", path: "/segments/new", role: "admin" },
  { label: "New template", path: "/templates/new", role: "admin" },
  { label: "New campaign", path: "/campaigns/new", role: "admin" },
  { label: "Campaign calendar", path: "/campaigns/calendar", role: "admin" },
  { label: "New API key", path: "/settings/api-keys/new", role: "admin" },
  { label: "New connection", path: "/settings/connections/new", role: "admin" },
  { label: "New webhook", path: "/settings/webhooks/new", role: "admin" },
  { label: "New custom field", path: "/settings/custom-fields/new", role: "admin" },
  { label: "New tag", path: "/settings/tags", role: "admin" },
  { label: "New canned reply", path: "/settings/canned-replies", role: "agent" },
  { label: "Invite a member", path: "/settings/members", role: "owner" },
];

export const navigationFor = <Item extends Pick<NavigationItem, "role" | "path">>(
  items: readonly Item[],
  role: Role,
  exists: (path: string) => boolean,
): Item[] => items.filter((item) => isAtLeast(role, item.role) && exists(item.path));

export const isIn = (items: readonly NavigationItem[], path: string): boolean =>
  items.some((item) => item.path === path);

export const isCurrent = (item: NavigationItem, path: string): boolean =>
  path === item.path || path.startsWith(`${item.path}/`);
