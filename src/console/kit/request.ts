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
  /** The client's network, for rate limits on password attempts. */
  origin: Origin;
  session: Session | null;
  /** The CSRF token for forms; empty without a session. */
  token: string;
  /** Identifies a form submission, so that a repeated submission takes effect once. */
  onceToken: string;
  notice: Notice | null;
  /** The rejected form that the page renders again. */
  refused: FormState | null;
  /** True if the operator has stopped sending. */
  isSendingStopped: boolean;
  theme: Theme;
  personPane: PersonPaneState;
  assets: Assets;
  /** In ms since the epoch. */
  receivedAt: number;
}

export interface UserRequest extends PageRequest {
  session: Session;
}

export interface WorkspaceRequest extends UserRequest {
  /** Acts as the member. To send, choose a connection: `sendingThrough(ctx, id)`. */
  ctx: Ctx;
  workspace: Membership;
  /** A path in this workspace: `path("/contacts")`. */
  path(below: string): string;
  /** This page's path below the workspace: `/contacts/ct_…`. */
  here: string;
  /**
   * The member's unread conversations and mentions, up to `UNREAD_LIMIT` each; null if the count failed. Memoized.
   */
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

/** Null outside of workspace pages. */
export const useFrame = (): WorkspaceRequest | null => useContext(workspaceContext);

export function useWorkspaceRequest(): WorkspaceRequest {
  const request = useFrame();
  if (request === null) throw new Error("A component of a workspace was rendered outside of one.");
  return request;
}
