import { AppError } from "./errors.ts";

/** The roles of members; each may do all that those before it may. */
export const roles = ["agent", "admin", "owner"] as const;

export type Role = (typeof roles)[number];

/** The one who acts: software with an API key, a person in the console, the operator, or a job of our own. */
export type Actor =
  | { type: "api_key"; id: string; connectionId: string }
  /** `connectionId`: the connection chosen to send through, if any. */
  | { type: "member"; userId: string; role: Role; connectionId: string | null }
  | { type: "operator" }
  /** For changes that a provider reports of a connection. */
  | { type: "provider"; connectionId: string }
  | { type: "system" };

/** Distinguishes the actors of a workspace. */
export function actorKey(actor: Actor): string {
  if (actor.type === "api_key") return actor.id;
  return actor.type === "member" ? actor.userId : actor.type;
}

/** The role that is needed at least. The operator may do everything, and some things alone. */
export type LeastRole = Role | "operator";

/** True where a role includes all that `least` may do. */
export const isAtLeast = (role: Role, least: LeastRole): boolean =>
  least !== "operator" && roles.indexOf(role) >= roles.indexOf(least);

const refusals: Record<LeastRole, string> = {
  agent: "This is for members of the workspace.",
  admin: "This is for admins and owners of the workspace.",
  owner: "This is for owners of the workspace.",
  operator: "This is for the operator.",
};

/** Throws `forbidden` unless the actor has at least this role. */
export function requireRole(actor: Actor, least: LeastRole): void {
  if (actor.type === "operator") return;
  if (actor.type !== "member" || !isAtLeast(actor.role, least)) throw new AppError("forbidden", refusals[least]);
}

/** The connection that the caller's key sends through, or that the member has chosen. Throws `forbidden` where there is none. */
export function requireSendingConnection({ actor }: { actor: Actor }): string {
  if (actor.type === "api_key") return actor.connectionId;
  if (actor.type === "member" && actor.connectionId !== null) return actor.connectionId;
  throw new AppError("forbidden", "Choose a connection to send through.");
}
