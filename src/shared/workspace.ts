import * as z from "zod";

/** A workspace and where its rows are. On queues and in KV: crosses between versions of the Worker. */
export const workspaceRef = z.object({
  id: z.string(),
  /** Contact rows of the workspace are numbered from `number * 2^32`. */
  number: z.number(),
  shard: z.number(),
});

export type WorkspaceRef = z.infer<typeof workspaceRef>;

/** The plans that a workspace may have. */
export const plans = ["free", "growth", "scale"] as const;

export type Plan = (typeof plans)[number];

export const planName = z.enum(plans).meta({ id: "Plan", description: "`free` does not include API access." });
