import * as z from "zod";
import { parseJsonOrNull } from "../../shared/text/json.ts";
import { roles } from "../../shared/access/actor.ts";
import { workspaceRef } from "../../shared/access/workspace.ts";

const presence = z.enum(["looking", "typing"]);

export type Presence = z.infer<typeof presence>;

/** A member with an open page. The socket stores it while the object sleeps. */
export const viewer = z.object({
  workspace: workspaceRef,
  userId: z.string(),
  name: z.string(),
  role: z.enum(roles),
  sessionId: z.string(),
  /** When the session expires, in ms since the epoch. */
  sessionEndsAt: z.number(),
  /** The open conversation, if any. */
  conversationId: z.string().nullable(),
  presence,
  openedAt: z.number(),
});

export type Viewer = z.infer<typeof viewer>;

/** The read position in the log, and the end of the registration as a listener. */
export const progress = z.object({ sequence: z.number(), at: z.number(), listensUntil: z.number() });

export type Progress = z.infer<typeof progress>;

/** A socket's attachment, the only data that survives while the object sleeps. */
export const attachment = z.object({ viewer, progress: progress.nullable() });

/** The only message that pages send: the open conversation, and whether the member is typing. */
const viewMessage = z.strictObject({
  type: z.literal("view"),
  conversation_id: z
    .string()
    .regex(/^cnv_[0-9a-z]{1,40}$/)
    .nullable(),
  presence: presence.default("looking"),
});

/** Null for any other text. */
export function readViewMessage(text: string): z.infer<typeof viewMessage> | null {
  return viewMessage.safeParse(parseJsonOrNull(text)).data ?? null;
}

/** A change in the form for pages: types and ids, never content. */
export interface PushedChange {
  /** An event's type. */
  type: string;
  /** The changed object. Missing for messages that appear only in the counts of their campaign. */
  id?: string;
  conversation_id?: string;
  contact_id?: string;
  campaign_id?: string;
  /** The member who made the change. */
  actor_id?: string;
  /** The members that a note mentions. */
  mentions?: string[];
}

export type PushedMessage =
  /** The socket is ready. `newest_at` is the time of the newest event. */
  | { type: "welcome"; newest_at: number }
  | { type: "changes"; changes: PushedChange[] }
  /** Anything may have changed, so the page refreshes all live parts. */
  | { type: "resync" }
  /** The other members on the same conversation. */
  | { type: "presence"; conversation_id: string; members: { id: string; name: string; presence: Presence }[] };
