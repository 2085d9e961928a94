import * as z from "zod";

/** Fields can only be added: during a deployment, two versions of the Worker send this object to each other. */
export const keyPolicy = z.object({
  keyId: z.string(),
  revision: z.number(),
  revoked: z.boolean(),
  expiresAt: z.number().nullable(),
  requests: z.number().nullable(),
  windowSeconds: z.number(),
});

export type KeyPolicy = z.infer<typeof keyPolicy>;

export interface Quota {
  requests: number;
  windowSeconds: number;
  remaining: number;
  resetMs: number;
}

export type Verdict =
  | { outcome: "revoked" | "expired" | "plan_required" }
  /** Earlier versions do not return `at`. */
  | { outcome: "admitted"; stale: boolean; quota: Quota; at?: number }
  | { outcome: "limited"; quota: Quota; retryAfterMs: number };

export interface KeyUsage {
  keyId: string;
  at: number;
}
