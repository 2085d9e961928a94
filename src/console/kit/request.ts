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

/** A request for a page, by a user who is signed in or not. */
export interface PageRequest {
  base: BaseCtx;
  /** The address of the page, with its query. */
  url: URL;
  /** The client's network, for the limit of password attempts. */
  origin: Origin;
  session: Session | null;
  /** The CSRF token that forms carry; empty without a session. */
  token: string;
  /** Makes what the page's forms do happen once, however often they are sent. */
  onceToken: string;
  notice: Notice | null;
  /** The form that was sent to this address and refused; its page is shown again. */
  refused: FormState | null;
  theme: Theme;
  personPane: PersonPaneState;
  assets: Assets;
  /** In ms since the epoch. */
  receivedAt: number;
}

export interface UserRequest extends PageRequest {
  session: Session;
}

/** A request by a member, in one of their workspaces. */
export interface WorkspaceRequest extends UserRequest {
  /** Acts as the member, in the workspace. To send, choose a connection: `sendingThrough(ctx, id)`. */
  ctx: Ctx;
  workspace: Membership;
  /** The address of a page of this workspace: `path("/contacts")`. */
  path(below: string): string;
  /** The path of this page below the workspace: `/contacts/ct_…`. */
  here: string;
  /** Unread conversations and mentions of the member, up to `MAX_COUNT_SHOWN` each; null where they cannot be counted now. Asked for once. */
  countUnreadAndMentions(): Promise<UnreadAndMentions | null>;
  mainNavigation: NavigationItem[];
  settingsNavigation: NavigationItem[];
  furtherPages: Pick<NavigationItem, "label" | "path">[];
}

const pageContext = createContext<PageRequest | null>(null);
const workspaceContext = createContext<WorkspaceRequest | null>(null);

export const RequestProvider = pageContext.Provider;
export const WorkspaceRequestProvider = workspaceContext.Provider;

/** The request that a component is rendered for. */
export function usePageRequest(): PageRequest {
  const request = useContext(pageContext);
  if (request === null) throw new Error("A component was rendered outside of a page.");
  return request;
}

/** The request for a page of a workspace; null for other pages. */
export const useFrame = (): WorkspaceRequest | null => useContext(workspaceContext);

/** The same, for components that only pages of a workspace have. */
export function useWorkspaceRequest(): WorkspaceRequest {
  const request = useFrame();
  if (request === null) throw new Error("A component of a workspace was rendered outside of one.");
  return request;
}
