import { createContext, useContext } from "hono/jsx";
import type { Membership, Session } from "../../features/members/members.schemas.ts";
import type { Origin } from "../../features/members/sign-in.ts";
import type { BaseCtx, Ctx } from "../../shared/context.ts";
import type { Assets } from "./assets.ts";
import type { Flash } from "./flash.ts";
import type { Place } from "./navigation.ts";

/** Somebody who looks at a page, signed in or not. */
export interface Visit {
  base: BaseCtx;
  /** Of the page, with its query. */
  url: URL;
  /** Where a password that is sent comes from. */
  origin: Origin;
  session: Session | null;
  /** What forms carry to show that they come from this page; empty without a session. */
  token: string;
  flash: Flash | null;
  assets: Assets;
}

export interface UserVisit extends Visit {
  session: Session;
}

/** Somebody in one of their workspaces. */
export interface WorkspaceVisit extends UserVisit {
  /** Acts as the member, in the workspace. To send, choose a connection: `sendingThrough(ctx, id)`. */
  ctx: Ctx;
  workspace: Membership;
  /** The address of a page of this workspace: `path("/contacts")`. */
  path(below: string): string;
  /** Where in the workspace this page is: `/contacts/ct_…`. */
  here: string;
  places: Place[];
  settings: Place[];
}

const anybody = createContext<Visit | null>(null);
const member = createContext<WorkspaceVisit | null>(null);

export const VisitProvider = anybody.Provider;
export const WorkspaceProvider = member.Provider;

/** The visit that a component is rendered for. */
export function useVisit(): Visit {
  const visit = useContext(anybody);
  if (visit === null) throw new Error("A component was rendered outside of a page.");
  return visit;
}

/** The same for components that only pages of a workspace have. */
export function useWorkspace(): WorkspaceVisit {
  const visit = useContext(member);
  if (visit === null) throw new Error("A component of a workspace was rendered outside of one.");
  return visit;
}
