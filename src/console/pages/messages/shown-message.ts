// A message as pages show it.
import type { presentMessage } from "../../../features/messages/messages.views.ts";
import type { Thread } from "../../../features/messages/open-thread.ts";

export type ShownMessage = Thread["messages"][number];

export type MessageView = ReturnType<typeof presentMessage>;

const ms = (time: string | null): number | null => (time === null ? null : Date.parse(time));

/** A message of the API as pages show it. */
export const viewAsShown = (message: MessageView): ShownMessage => ({
  id: message.id,
  type: message.type,
  content: message.content,
  body: message.body,
  fromContact: message.from_contact,
  delivery: message.delivery,
  error: message.error,
  by: message.campaign_id !== null ? "campaign" : message.template_id !== null ? "template" : null,
  templateId: message.template_id,
  replyTo: message.reply_to,
  reactions: message.reactions,
  isForwarded: message.forwarded,
  referral: message.referral,
  at: Date.parse(message.created_at),
  sendAt: ms(message.send_at),
  editedAt: ms(message.edited_at),
  revokedAt: ms(message.revoked_at),
  earlier: message.versions.map(({ body }) => body),
});
