import type { FC, PropsWithChildren } from "hono/jsx";
import { useWorkspaceRequest } from "../../kit/request.ts";

/** The address of a page at or below a navigation item; null where this member has no such item. */
export function usePathTo(): (place: string, below?: string) => string | null {
  const { path, mainNavigation, settingsNavigation } = useWorkspaceRequest();
  return (place, below = "") =>
    [...mainNavigation, ...settingsNavigation].some((each) => each.path === place) ? path(place + below) : null;
}

export const OptionalLink: FC<PropsWithChildren<{ to: string | null }>> = ({ to, children }) =>
  to === null ? <>{children}</> : <a href={to}>{children}</a>;
