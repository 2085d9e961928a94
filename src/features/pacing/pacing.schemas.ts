import * as z from "zod";
import { workspaceRef, type WorkspaceRef } from "../../shared/access/workspace.ts";

/** Fields can only be added: during a deployment, two versions of the Worker send this object to each other. */
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
  isGranted: boolean;
  /** If `isGranted`, the message is sent after this wait. Otherwise it requests a slot again after this wait. */
  inMs: number;
}

/** A pause requested by a provider, for the whole connection or for messages to one person. */
export interface Pause {
  provider: string;
  scope: "connection" | "recipient";
  address: string;
  forMs: number;
}

/**
 * A campaign that has messages to send through the connection. Fields can only be added: during a deployment, two
 * versions of the Worker send this object to each other.
 */
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
  /**
   * `more` if the campaign has more work now, a time (ms since the epoch) if it has work from then on, or `nothing` if
   * no further work is known.
   */
  next: "more" | "nothing" | number;
}

/**
 * A queue message that allows its consumer to lease and send `size` messages of a campaign. If a grant is lost, its
 * messages are sent with a later grant.
 */
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
