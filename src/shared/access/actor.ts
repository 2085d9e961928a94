import { AppError } from "../errors.ts";
import type { Plan } from "./workspace.ts";

/** Ordered from the fewest rights to the most: each role also has the rights of the roles before it. */
export const roles = ["agent", "admin", "owner"] as const;

export type Role = (typeof roles)[number];

export type Actor =
  | { type: "api_key"; id: string; connectionId: string }
  | { type: "member"; userId: string; role: Role; connectionId: string | null }
  | { type: "operator" }
  | { type: "provider"; connectionId: string }
  | { type: "system" };

export function actorId(actor: Actor): string | null {
  if (actor.type === "api_key") return actor.id;
  return actor.type === "member" ? actor.userId : null;
}

export const actorKey = (actor: Actor): string => actorId(actor) ?? actor.type;

/** The lowest role that can do an action. `operator` means that only the operator of the deployment can do it. */
export type LeastRole = Role | "operator";

export const isAtLeast = (role: Role, least: LeastRole): boolean =>
  least !== "operator" && roles.indexOf(role) >= roles.indexOf(least);

const refusals: Record<LeastRole, string> = {
  agent: "Only members of the workspace can do this.",
  admin: "Only admins and owners of the workspace can do this.",
  owner: "Only owners of the workspace can do this.",
  operator: "Only the operator can do this.",
};

export function requireRole(actor: Actor, least: LeastRole): void {
  if (actor.type === "operator") return;
  if (actor.type !== "member" || !isAtLeast(actor.role, least)) throw new AppError("forbidden", refusals[least]);
}

export function requireSendingConnection({ actor }: { actor: Actor }): string {
  if (actor.type === "api_key") return actor.connectionId;
  if (actor.type === "member" && actor.connectionId !== null) return actor.connectionId;
  throw new AppError("forbidden", "Choose a connection to send through.");
}

export interface CallerNames {
  workspace: string;
  plan: Plan;
  key: string;
}

export interface Caller {
  keyId: string;
  connectionId: string;
  readOnly: boolean;
  expiresAt: number | null;
  /** Null if this key was cached by an earlier version of the Worker, which did not store the names. */
  names: CallerNames | null;
  quota: { requests: number; windowSeconds: number; remaining: number; resetMs: number };
}

export function requireWriter({ readOnly }: Caller): void {
  if (readOnly) throw new AppError("forbidden", "This key can only read. Use a key without read_only.");
}
