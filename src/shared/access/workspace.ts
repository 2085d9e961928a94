import * as z from "zod";

/** Queues and KV pass this object between versions of the Worker, so fields can only be added. */
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
