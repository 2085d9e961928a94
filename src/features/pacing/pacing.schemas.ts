import * as z from "zod";
import { workspaceRef, type WorkspaceRef } from "../../shared/access/workspace.ts";

/** A message's request for a slot. Different versions of the Worker exchange these requests, so fields can only be added. */
export interface SlotRequest {
  provider: string;
  /** The recipient's E.164 number or provider user id. */
  address: string;
  /** The current rate of the connection. */
  messagesPerSecond: number;
  /** True if the message has waited until the time of its planned slot. */
  isReturning: boolean;
}

export interface Slot {
  /** If granted: send after this wait. Otherwise: send nothing, and request a slot again after this wait. */
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

/** A campaign with messages for the connection. Different versions of the Worker exchange these objects. */
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
  /** The current rate of the connection. */
  messagesPerSecond: number;
  /** When the campaign has its next work: now (`more`), from a time on (ms since the epoch), or unknown (`nothing`). */
  next: "more" | "nothing" | number;
}

/** A queue message that permits a lease of `size` messages of a campaign. A lost grant loses send capacity, never a message. */
export const grant = z.object({
  v: z.literal(1),
  workspace: workspaceRef,
  campaignId: z.string(),
  connectionId: z.string(),
  grantId: z.string(),
  size: z.number(),
  /** When the lease was granted, in ms since the epoch. */
  at: z.number(),
});

export type Grant = z.infer<typeof grant>;
