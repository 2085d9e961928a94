import * as z from "zod";
import { parseJsonOrNull } from "../../shared/text/json.ts";
import { roles } from "../../shared/access/actor.ts";
import { workspaceRef } from "../../shared/access/workspace.ts";

const presence = z.enum(["looking", "typing"]);

export type Presence = z.infer<typeof presence>;

/** A member at an open page. It is kept with the socket while the object sleeps. */
export const viewer = z.object({
  workspace: workspaceRef,
  userId: z.string(),
  name: z.string(),
  role: z.enum(roles),
  sessionId: z.string(),
  /** When the session ends by itself, in ms since the epoch. */
  sessionEndsAt: z.number(),
  /** The conversation in sight, if any. */
  conversationId: z.string().nullable(),
  presence,
  openedAt: z.number(),
});

export type Viewer = z.infer<typeof viewer>;

/** How far the log has been read, and when the registration at it ends. */
export const progress = z.object({ sequence: z.number(), at: z.number(), listensUntil: z.number() });

export type Progress = z.infer<typeof progress>;

/** The attachment of a socket: all that the platform keeps of an object that sleeps. */
export const attachment = z.object({ viewer, progress: progress.nullable() });

/** The only message that pages send: the conversation they show, and whether an answer is being typed there. */
const viewMessage = z.strictObject({
  type: z.literal("view"),
  conversation_id: z
    .string()
    .regex(/^cnv_[0-9a-z]{1,40}$/)
    .nullable(),
  presence: presence.default("looking"),
});

/** Null for a text that is no message of ours. */
export function readViewMessage(text: string): z.infer<typeof viewMessage> | null {
  return viewMessage.safeParse(parseJsonOrNull(text)).data ?? null;
}

/** A change as it is pushed to pages: types and ids, never content. */
export interface PushedChange {
  /** An event's type. */
  type: string;
  /** The object that changed. Left out for messages that show only in the counts of their campaign. */
  id?: string;
  conversation_id?: string;
  contact_id?: string;
  campaign_id?: string;
  /** The member who made the change. */
  actor_id?: string;
  /** The members whom a note names. */
  mentions?: string[];
}

export type PushedMessage =
  /** The socket is ready; `newest_at` is when the newest event was logged. */
  | { type: "welcome"; newest_at: number }
  | { type: "changes"; changes: PushedChange[] }
  /** Anything may have changed. */
  | { type: "resync" }
  /** The other members who look at a conversation. */
  | { type: "presence"; conversation_id: string; members: { id: string; name: string; presence: Presence }[] };
