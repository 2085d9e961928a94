import { z } from "zod";
import type { Deployed } from "./deployed.ts";

/** The product, with a page that returns the working time of its databases. */
export const TIMED = "test/bench/workers/timed.ts";

const spent = z.object({ sqlMs: z.number(), longestMs: z.number(), batches: z.number() });

/** Returns the working time since the last call. */
export async function takeSpent({ product }: Deployed): Promise<z.infer<typeof spent>> {
  return spent.parse(await (await fetch(new URL("/bench/spent", product))).json());
}
