import * as z from "zod";
import { workspaceRef, type WorkspaceRef } from "../../shared/access/workspace.ts";

/** A message's request for a slot. Passed between versions of the Worker, so fields may only be added. */
export interface SlotRequest {
  provider: string;
  /** E.164 or the provider's user id of the recipient. */
  address: string;
  /** The connection's current rate. */
  messagesPerSecond: number;
  /** True if the message waited for a planned slot, whose time has come. */
  isReturning: boolean;
}

export interface Slot {
  /** Granted: wait this long, then send. Not granted: send nothing, and ask again after this long. */
  isGranted: boolean;
  inMs: number;
}

/** A pause requested by a provider, for the whole connection or for messages to one person. */
export interface Pause {
  provider: string;
  scope: "connection" | "recipient";
  address: string;
  forMs: number;
}

/** A campaign with messages for the connection. Passed between versions of the Worker. */
export interface PumpedCampaign {
  workspace: WorkspaceRef;
  campaignId: string;
  connectionId: string;
  messagesPerSecond: number;
}

/** The outcome of a grant. */
export interface GrantReport {
  campaignId: string;
  grantId: string;
  /** The connection's current rate. */
  messagesPerSecond: number;
  /** The campaign's next work: more at once, none before a time (ms since the epoch), or unknown. */
  next: "more" | "nothing" | number;
}

/** On the queue: permission to lease `size` messages of a campaign now. A lost grant loses a slot, never a message. */
export const grant = z.object({
  v: z.literal(1),
  workspace: workspaceRef,
  campaignId: z.string(),
  connectionId: z.string(),
  grantId: z.string(),
  size: z.number(),
  /** When it was granted, in ms since the epoch. */
  at: z.number(),
});

export type Grant = z.infer<typeof grant>;
