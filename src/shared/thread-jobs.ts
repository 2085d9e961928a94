import * as z from "zod";
import { type WorkspaceRef, workspaceRef } from "./workspace.ts";

/** A thread: one contact on one connection. Its direct messages are sent one after the other. */
export interface ThreadKey {
  contactSeq: number;
  connectionId: string;
}

/** The queue message that has a thread's due messages sent. Dropping one loses nothing: the sweep finds the rows. */
export const deliverThreadJob = z.object({
  v: z.literal(1),
  workspace: workspaceRef,
  contactSeq: z.number(),
  connectionId: z.string(),
  /** The thread has messages that were scheduled for about now. */
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
