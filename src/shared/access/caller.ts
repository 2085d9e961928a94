import { AppError } from "../errors.ts";
import type { Plan } from "./workspace.ts";

/** The workspace and key as the caller sees them. */
export interface CallerNames {
  workspace: string;
  plan: Plan;
  key: string;
}

/** The API key of a request, with its usage of the rate limit. */
export interface Caller {
  keyId: string;
  connectionId: string;
  readOnly: boolean;
  /** ms since the epoch. */
  expiresAt: number | null;
  /** Null if an earlier version of the Worker cached the key. */
  names: CallerNames | null;
  quota: { requests: number; windowSeconds: number; remaining: number; resetMs: number };
}

/** Throws `forbidden` if the key is read-only. */
export function requireWriter({ readOnly }: Caller): void {
  if (readOnly) throw new AppError("forbidden", "This key may only read. Use a key without read_only.");
}
