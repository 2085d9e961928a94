import * as z from "zod";

/** A key's current permissions. Versions of the Worker pass them to each other, so fields can only be added. */
export const keyPolicy = z.object({
  keyId: z.string(),
  revision: z.number(),
  revoked: z.boolean(),
  expiresAt: z.number().nullable(),
  /** The maximum number of requests per window. Null if the plan has no API access. */
  requests: z.number().nullable(),
  windowSeconds: z.number(),
});

export type KeyPolicy = z.infer<typeof keyPolicy>;

export interface Quota {
  requests: number;
  windowSeconds: number;
  remaining: number;
  /** The time until the oldest counted request leaves the window. */
  resetMs: number;
}

export type Verdict =
  | { outcome: "revoked" | "expired" | "plan_required" }
  /** `stale` is true if the caller's copy is older than the applied policy. */
  | { outcome: "admitted"; stale: boolean; quota: Quota }
  | { outcome: "limited"; quota: Quota; retryAfterMs: number };

export interface KeyUsage {
  keyId: string;
  at: number;
}
