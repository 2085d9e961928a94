// Messages that were edited or taken back.
// Source: developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/reference/messages/edit and …/revoke
import * as z from "zod";
import { lenientText } from "../lenient.ts";
import type { RevisionEvent } from "../people.ts";
import { exactTimeOf, idOf } from "../readable.ts";
import { bodyOfMessage, messageContent } from "./bodies.ts";

/** The parts of a message that change another one. */
export const revision = {
  edit: z.object({ original_message_id: lenientText, message: messageContent }).nullish().catch(null),
  revoke: z.object({ original_message_id: lenientText }).nullish().catch(null),
};

interface Sent extends z.infer<z.ZodObject<typeof revision>> {
  id: string;
  type: string;
  timestamp?: unknown;
}

/** The change of an earlier message; null of a message of its own. `at` is the same in every delivery. */
export function revisionOf(sent: Sent, by: RevisionEvent["by"], receivedAt: number): RevisionEvent | null {
  const kind = sent.type === "edit" || sent.type === "revoke" ? sent.type : null;
  const key = kind === null ? null : idOf(sent[kind]?.original_message_id);
  if (kind === null || key === null) return null;
  const body = kind === "edit" && sent.edit ? bodyOfMessage(sent.edit.message) : null;
  const at = exactTimeOf(sent.timestamp) ?? receivedAt;
  return { type: "revision", kind, revisionId: sent.id, providerKeys: [key], by, body, at };
}
