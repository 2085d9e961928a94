import { AppError } from "./errors.ts";

/** What a member may do in a workspace; each may do what those before it may. */
export const roles = ["agent", "admin", "owner"] as const;

export type Role = (typeof roles)[number];

/** Who acts: software with an API key, a person in the console, the operator, or a job of our own. */
export type Actor =
  | { type: "api_key"; id: string; connectionId: string }
  /** `connectionId`: what was chosen to send through, where something was. */
  | { type: "member"; userId: string; role: Role; connectionId: string | null }
  | { type: "operator" }
  | { type: "system" };

/** Tells those who act in a workspace apart. */
export function actorKey(actor: Actor): string {
  if (actor.type === "api_key") return actor.id;
  return actor.type === "member" ? actor.userId : actor.type;
}

/** The least somebody must be. The operator may do everything, and some things alone. */
export type LeastRole = Role | "operator";

/** Whether a member of this role may do what wants at least `least`. */
export const isAtLeast = (role: Role, least: LeastRole): boolean =>
  least !== "operator" && roles.indexOf(role) >= roles.indexOf(least);

const wanted: Record<LeastRole, string> = {
  agent: "This is for members of the workspace.",
  admin: "This is for admins and owners of the workspace.",
  owner: "This is for owners of the workspace.",
  operator: "This is for the operator.",
};

/** Throws `forbidden` unless who acts is at least this. */
export function requireRole(actor: Actor, least: LeastRole): void {
  if (actor.type === "operator") return;
  if (actor.type !== "member" || !isAtLeast(actor.role, least)) throw new AppError("forbidden", wanted[least]);
}
