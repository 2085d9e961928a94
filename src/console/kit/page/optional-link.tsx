import type { FC, PropsWithChildren } from "hono/jsx";
import { useWorkspaceRequest } from "../request.ts";

export function usePathTo(): (page: string, below?: string) => string | null {
  const { path, mainNavigation, settingsNavigation } = useWorkspaceRequest();
  return (page, below = "") =>
    [...mainNavigation, ...settingsNavigation].some((each) => each.path === page) ? path(page + below) : null;
}

export const OptionalLink: FC<PropsWithChildren<{ to: string | null }>> = ({ to, children }) =>
  to === null ? <>{children}</> : <a href={to}>{children}</a>;
