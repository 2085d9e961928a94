import * as z from "zod";
import { type WorkspaceRef, workspaceRef } from "./access/workspace.ts";

/** A thread is one contact on one connection. Its direct messages are sent in order. */
export interface ThreadKey {
  contactSeq: number;
  connectionId: string;
}

/** Sends the due messages of a thread. If the queue loses this job, the sweep finds the messages in the database. */
export const deliverThreadJob = z.object({
  v: z.literal(1),
  workspace: workspaceRef,
  contactSeq: z.number(),
  connectionId: z.string(),
  /** Whether the job first releases scheduled messages of this thread that are due. */
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
