import * as z from "zod";
import { workspaceRef, type WorkspaceRef } from "../../shared/workspace.ts";

/** What a message tells when it asks for its turn. Crosses between versions of the Worker: only ever add to it. */
export interface SlotRequest {
  provider: string;
  /** E.164 or the provider's user id of whom the message is for. */
  address: string;
  /** What the connection may send, as its row says now. */
  messagesPerSecond: number;
  /** It was told before to come back now. */
  isReturning: boolean;
}

export interface Slot {
  /** Granted: wait so long, then send. Not granted: send nothing, come back after so long and ask again. */
  isGranted: boolean;
  inMs: number;
}

/** A provider asked for a pause: on the whole connection, or only in what goes to one person. */
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

/** What came of a grant. */
export interface GrantReport {
  campaignId: string;
  grantId: string;
  /** As the connection's row says now. */
  messagesPerSecond: number;
  /** Whether the campaign has more to send: at once, not before a time (ms since the epoch), or not that anybody knows. */
  next: "more" | "nothing" | number;
}

/** On the queue: leave to send `size` messages of a campaign now. Dropping one loses a slot, never a message. */
export const grant = z.object({
  v: z.literal(1),
  workspace: workspaceRef,
  campaignId: z.string(),
  connectionId: z.string(),
  grantId: z.string(),
  size: z.number(),
  /** When it was given, in ms since the epoch. */
  at: z.number(),
});

export type Grant = z.infer<typeof grant>;
