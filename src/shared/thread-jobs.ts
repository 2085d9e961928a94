import * as z from "zod";
import { type WorkspaceRef, workspaceRef } from "./access/workspace.ts";

/** One contact on one connection. The direct messages of a thread are sent in order. */
export interface ThreadKey {
  contactSeq: number;
  connectionId: string;
}

/** The queue message that sends a thread's due messages. If the queue message is lost, the sweep finds the rows. */
export const deliverThreadJob = z.object({
  v: z.literal(1),
  workspace: workspaceRef,
  contactSeq: z.number(),
  connectionId: z.string(),
  /** True if messages of the thread are scheduled for about this time. */
  releases: z.boolean().optional(),
});

export const createDeliverThreadJob = (
  workspace: WorkspaceRef,
  { contactSeq, connectionId }: ThreadKey,
  { releases = false } = {},
): z.infer<typeof deliverThreadJob> => ({
  v: 1,
  workspace,
  contactSeq,
  connectionId,
  ...(releases && { releases }),
});
