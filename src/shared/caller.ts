import { AppError } from "./errors.ts";
import type { Plan } from "./workspace.ts";

/** Names that a caller knows its workspace and key by. */
export interface CallerNames {
  workspace: string;
  plan: Plan;
  key: string;
}

/** The API key of a request, and how much of its limit is used. */
export interface Caller {
  keyId: string;
  connectionId: string;
  readOnly: boolean;
  /** ms since the epoch. */
  expiresAt: number | null;
  /** Null where an earlier version of the Worker has cached the key. */
  names: CallerNames | null;
  quota: { requests: number; windowSeconds: number; remaining: number; resetMs: number };
}

/** Throws `forbidden` where the key may only read. */
export function requireWriter({ readOnly }: Caller): void {
  if (readOnly) throw new AppError("forbidden", "This key may only read. Use a key without read_only.");
}
