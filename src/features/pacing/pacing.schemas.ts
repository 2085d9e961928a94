import * as z from "zod";
import { workspaceRef, type WorkspaceRef } from "../../shared/workspace.ts";

/** A message's request for its turn. Crosses between versions of the Worker: only ever add to it. */
export interface SlotRequest {
  provider: string;
  /** E.164 or the provider's user id of the recipient. */
  address: string;
  /** The connection's rate, as its row says now. */
  messagesPerSecond: number;
  /** True for a message that was given a later time before, which is now. */
  isReturning: boolean;
}

export interface Slot {
  /** Granted: wait so long, then send. Not granted: send nothing, and ask once more after so long. */
  isGranted: boolean;
  inMs: number;
}

/** A provider asked for a pause: on the whole connection, or only on messages to one person. */
export interface Pause {
  provider: string;
  scope: "connection" | "recipient";
  address: string;
  forMs: number;
}

/** A campaign that has messages to send through the connection. Crosses between versions, as all of this. */
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
  /** As the connection's row says now. */
  messagesPerSecond: number;
  /** The campaign's next work: more at once, none before a time (ms since the epoch), or nothing known. */
  next: "more" | "nothing" | number;
}

/** On the queue: the permission to lease `size` messages of a campaign now. Dropping one loses a slot, never a message. */
export const grant = z.object({
  v: z.literal(1),
  workspace: workspaceRef,
  campaignId: z.string(),
  connectionId: z.string(),
  grantId: z.string(),
  size: z.number(),
  /** The time it was given, in ms since the epoch. */
  at: z.number(),
});

export type Grant = z.infer<typeof grant>;
