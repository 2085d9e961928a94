import * as z from "zod";

/** Says on the queue that a campaign wants looking after. Crosses between versions of the Worker: only ever add to it. */
export const wake = z.object({
  v: z.literal(1),
  workspace: z.object({ id: z.string(), number: z.number(), shard: z.number() }),
  campaignId: z.string(),
});

export type Wake = z.infer<typeof wake>;
