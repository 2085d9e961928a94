import * as z from "zod";
import { type WorkspaceRef, workspaceRef } from "./access/workspace.ts";

/** One contact on one connection. Direct messages of a thread are sent in order. */
export interface ThreadKey {
  contactSeq: number;
  connectionId: string;
}

/** Sends a thread's due messages. If the queue loses this job, the sweep finds the messages. */
export const deliverThreadJob = z.object({
  v: z.literal(1),
  workspace: workspaceRef,
  contactSeq: z.number(),
  connectionId: z.string(),
  /** True if the job is for messages that were scheduled for about this time. */
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
