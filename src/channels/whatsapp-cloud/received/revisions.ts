// Edited and deleted messages. Source:
// developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/reference/messages/edit and …/revoke
import * as z from "zod";
import { lenientText } from "../../lenient.ts";
import type { RevisionEvent } from "../../people.ts";
import { exactTimeOf, idOf } from "../../readable.ts";
import { messageContent } from "./bodies.ts";
import { messageContext } from "./contexts.ts";
import { contentOf } from "./parts.ts";

/** The parts of a message that change another one. */
export const revision = {
  edit: z
    .object({ original_message_id: lenientText, message: messageContent.extend(messageContext) })
    .nullish()
    .catch(null),
  revoke: z.object({ original_message_id: lenientText }).nullish().catch(null),
};

interface Sent extends z.infer<z.ZodObject<typeof revision>> {
  id: string;
  type: string;
  timestamp?: unknown;
}

/** The change of an earlier message; null for a new message. `at` is equal in every delivery. */
export function revisionOf(
  sent: Sent,
  person: Pick<RevisionEvent, "by" | "to">,
  receivedAt: number,
): RevisionEvent | null {
  const kind = sent.type === "edit" || sent.type === "revoke" ? sent.type : null;
  const key = kind === null ? null : idOf(sent[kind]?.original_message_id);
  if (kind === null || key === null) return null;
  const changed = kind === "edit" && sent.edit ? contentOf(sent.edit.message) : { body: null };
  const at = exactTimeOf(sent.timestamp) ?? receivedAt;
  return { type: "revision", kind, revisionId: sent.id, providerKeys: [key], ...person, ...changed, at };
}
