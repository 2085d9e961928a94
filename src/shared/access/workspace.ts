import * as z from "zod";

/**
 * After a deployment, the new version reads objects that the previous version wrote into queues and KV. Do not
 * rename a field, and make every new field optional. Otherwise these objects are rejected.
 */
export const workspaceRef = z.object({
  id: z.string(),
  /** The `seq` of the workspace's contacts starts at `number * 2^32`. */
  number: z.number(),
  shard: z.number(),
});

export type WorkspaceRef = z.infer<typeof workspaceRef>;

export const plans = ["free", "growth", "scale"] as const;

export type Plan = (typeof plans)[number];

export const planName = z.enum(plans).meta({ id: "Plan", description: "`free` does not include API access." });
