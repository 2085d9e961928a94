import { createContext, useContext } from "hono/jsx";
import type { UnreadAndMentions } from "../../features/conversations/team/count-unread-and-mentions.ts";
import type { Membership, Session } from "../../features/members/members.schemas.ts";
import type { Origin } from "../../features/members/access/sign-in.ts";
import type { BaseCtx, Ctx } from "../../shared/context.ts";
import type { Assets } from "./page/assets.ts";
import type { FormState } from "./forms/forms.ts";
import type { Notice } from "./page/notice.ts";
import type { NavigationItem } from "./page/navigation.ts";
import type { PersonPaneState, Theme } from "./page/appearance.ts";

export interface PageRequest {
  base: BaseCtx;
  url: URL;
  /** The network and the device of the request, for which password attempts are limited. */
  origin: Origin;
  session: Session | null;
  token: string;
  /** A random token in the forms of this page. It makes a form that is submitted twice take effect once. */
  onceToken: string;
  notice: Notice | null;
  refused: FormState | null;
  isSendingStopped: boolean;
  theme: Theme;
  personPane: PersonPaneState;
  assets: Assets;
  receivedAt: number;
}

export interface UserRequest extends PageRequest {
  session: Session;
}

export interface WorkspaceRequest extends UserRequest {
  ctx: Ctx;
  workspace: Membership;
  path(below: string): string;
  here: string;
  /** Returns counts up to `UNREAD_LIMIT`, which are queried once per request. Returns null if counting fails. */
  countUnreadAndMentions(): Promise<UnreadAndMentions | null>;
  mainNavigation: NavigationItem[];
  settingsNavigation: NavigationItem[];
  furtherPages: Pick<NavigationItem, "label" | "path">[];
}

const pageContext = createContext<PageRequest | null>(null);
const workspaceContext = createContext<WorkspaceRequest | null>(null);

export const RequestProvider = pageContext.Provider;
export const WorkspaceRequestProvider = workspaceContext.Provider;

export function usePageRequest(): PageRequest {
  const request = useContext(pageContext);
  if (request === null) throw new Error("A component was rendered outside of a page.");
  return request;
}

export const useFrame = (): WorkspaceRequest | null => useContext(workspaceContext);

export function useWorkspaceRequest(): WorkspaceRequest {
  const request = useFrame();
  if (request === null) throw new Error("A workspace component was rendered outside a workspace page.");
  return request;
}
