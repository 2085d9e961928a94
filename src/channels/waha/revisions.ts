// Edited and deleted messages. Source: waha.devlike.pro/docs/how-to/events
import * as z from "zod";
import type { ChannelEvent } from "../channel.ts";
import { lenientText } from "../lenient.ts";
import type { RevisionEvent } from "../people.ts";
import { bodyOf, idOf, storable } from "../readable.ts";
import { keyOfOwn, messageId, parseMessageId, personIn } from "./ids.ts";

/** The message that reports the change. */
const action = z.object({ id: messageId, from: lenientText, to: lenientText, fromMe: z.boolean().catch(false) });

const edited = action.extend({
  editedMessageId: lenientText,
  body: lenientText,
  hasMedia: z.boolean().nullish().catch(null),
});
const revoked = z.object({
  revokedMessageId: lenientText,
  after: action.nullish().catch(null),
  before: action.nullish().catch(null),
});

type Action = z.infer<typeof action>;

/** The event contains only WhatsApp's own id of the changed message, whose chat is that of the event. */
function revisionsOf(
  { id, from, to, fromMe }: Action,
  changed: string | null | undefined,
  change: Pick<RevisionEvent, "kind" | "body" | "at">,
): ChannelEvent[] {
  const [own, ownOfChange] = [idOf(changed), idOf(id)];
  const chats = [parseMessageId(id)?.chat, fromMe ? (to ?? from) : from].flatMap((chat) => idOf(chat) ?? []);
  const person = chats.map((chat) => personIn(chat, null)).find((found) => found !== null);
  if (own === null || ownOfChange === null || person === undefined) return [];
  const bare = parseMessageId(own)?.id ?? own;
  const providerKeys = fromMe ? [keyOfOwn(bare)] : [...new Set(chats.map((chat) => `false_${chat}_${bare}`))];
  // In some engines the event's id is the id of the message.
  const revisionId = `${ownOfChange} ${change.at}`;
  return [{ type: "revision", revisionId, providerKeys, by: fromMe ? null : person, ...change }];
}

/** The events of `message.edited`. */
export function editEvents(raw: unknown, at: number): ChannelEvent[] {
  const { data } = edited.safeParse(raw);
  if (data === undefined) return [];
  // A caption may be removed.
  const body = data.hasMedia ? storable(data.body ?? "") : bodyOf(data.body);
  return revisionsOf(data, data.editedMessageId, { kind: "edit", body, at });
}

/** The events of `message.revoked`. */
export function revokeEvents(raw: unknown, at: number): ChannelEvent[] {
  const { data } = revoked.safeParse(raw);
  const change = data?.after ?? data?.before;
  if (data === undefined || !change) return [];
  return revisionsOf(change, data.revokedMessageId ?? data.before?.id, { kind: "revoke", body: null, at });
}
