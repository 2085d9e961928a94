import * as z from "zod";
import { parseJsonOrNull } from "../../shared/text/json.ts";
import { roles } from "../../shared/access/actor.ts";
import { workspaceRef } from "../../shared/access/workspace.ts";

const presence = z.enum(["looking", "typing"]);

type Presence = z.infer<typeof presence>;

/** The member and the page at the other end of a socket. */
export const viewer = z.object({
  workspace: workspaceRef,
  userId: z.string(),
  name: z.string(),
  role: z.enum(roles),
  sessionId: z.string(),
  /** In ms since the epoch. */
  sessionEndsAt: z.number(),
  conversationId: z.string().nullable(),
  presence,
  openedAt: z.number(),
});

export type Viewer = z.infer<typeof viewer>;

export const progress = z.object({ sequence: z.number(), at: z.number(), listensUntil: z.number() });

export type Progress = z.infer<typeof progress>;

/** Stored with each socket, because the object loses its memory when it hibernates. */
export const attachment = z.object({ viewer, progress: progress.nullable() });

const viewMessage = z.strictObject({
  type: z.literal("view"),
  conversation_id: z
    .string()
    .regex(/^cnv_[0-9a-z]{1,40}$/)
    .nullable(),
  presence: presence.default("looking"),
});

export function readViewMessage(text: string): z.infer<typeof viewMessage> | null {
  return viewMessage.safeParse(parseJsonOrNull(text)).data ?? null;
}

/** Contains no content, because pages load the changed parts themselves. */
export interface PushedChange {
  type: string;
  /** Missing for a campaign message that appears only in the campaign's counts. */
  id?: string;
  conversation_id?: string;
  contact_id?: string;
  campaign_id?: string;
  actor_id?: string;
  mentions?: string[];
}

export type PushedMessage =
  | { type: "welcome"; newest_at: number }
  | { type: "changes"; changes: PushedChange[] }
  /** Too much has changed, so the page refreshes all live parts. */
  | { type: "resync" }
  | { type: "presence"; conversation_id: string; members: { id: string; name: string; presence: Presence }[] };
