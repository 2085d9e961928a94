import * as z from "zod";

/** The permissions of a key, as management last decided. Crosses between versions of the Worker: only ever add to it. */
export const keyPolicy = z.object({
  keyId: z.string(),
  revision: z.number(),
  revoked: z.boolean(),
  expiresAt: z.number().nullable(),
  /** Requests let through in any window; null where the plan has no API access. */
  requests: z.number().nullable(),
  windowSeconds: z.number(),
});

export type KeyPolicy = z.infer<typeof keyPolicy>;

export interface Quota {
  requests: number;
  windowSeconds: number;
  remaining: number;
  /** Until the oldest counted request leaves the window. */
  resetMs: number;
}

export type Verdict =
  | { outcome: "revoked" | "expired" | "plan_required" }
  /** `stale`: the caller's copy of the key is older than the policy applied. */
  | { outcome: "admitted"; stale: boolean; quota: Quota }
  | { outcome: "limited"; quota: Quota; retryAfterMs: number };

export interface KeyUsage {
  keyId: string;
  at: number;
}
