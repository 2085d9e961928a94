import * as z from "zod";
import { type WorkspaceRef, workspaceRef } from "./access/workspace.ts";

/** A thread: one contact on one connection. Its direct messages are sent in order. */
export interface ThreadKey {
  contactSeq: number;
  connectionId: string;
}

/** The queue message that sends a thread's due messages. Losing one is harmless: the sweep finds the rows. */
export const deliverThreadJob = z.object({
  v: z.literal(1),
  workspace: workspaceRef,
  contactSeq: z.number(),
  connectionId: z.string(),
  /** The thread has messages scheduled for about now. */
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
