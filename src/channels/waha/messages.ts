// Source: waha.devlike.pro/docs/how-to/receive-messages
import * as z from "zod";
import type { ChannelEvent, RevisionEvent } from "../channel-events.ts";
import {
  lenientText,
  lenientBoolean,
  lenientObject,
  type LenientText,
  fitJson,
  storable,
  idOf,
  nameOf,
  timeOf,
} from "../provider-input.ts";
import { labelled, listed, bodyOf } from "../readable.ts";
import { chatForms, keyOfOwn, keysOfId, messageId, parseMessageId, personIn, personNamed } from "./ids.ts";
import { contentOfMessage, messageParts } from "./parts.ts";

const engineNames = lenientObject({
  type: lenientText,
  notifyName: lenientText,
  pushName: lenientText,
  Info: lenientObject({ PushName: lenientText, SenderAlt: lenientText, RecipientAlt: lenientText }),
  key: lenientObject({ remoteJidAlt: lenientText, senderPn: lenientText }),
  message: lenientObject({ protocolMessage: z.unknown() }),
  Message: lenientObject({ protocolMessage: z.unknown() }),
});

const message = z.object({
  ...messageParts,
  id: messageId,
  timestamp: z.unknown().optional(),
  from: lenientText,
  to: lenientText,
  fromMe: z.boolean().catch(false),
  source: lenientText,
  pn: lenientText,
  _data: z.unknown().optional(),
});

type Message = z.infer<typeof message>;

const SERVICE_TYPES = new Set(["e2e_notification", "notification", "notification_template", "protocol", "gp2"]);

const isService = (names: z.infer<typeof engineNames>): boolean =>
  SERVICE_TYPES.has(names?.type ?? "") || Boolean(names?.message?.protocolMessage ?? names?.Message?.protocolMessage);

const chatOf = ({ id, from, to, fromMe }: Message) => parseMessageId(id)?.chat ?? (fromMe ? (to ?? from) : from) ?? "";

export function messageEvents(raw: unknown, receivedAt: number): ChannelEvent[] {
  const { data: sent } = message.safeParse(raw);
  const id = idOf(sent?.id);
  const names = engineNames.safeParse(sent?._data).data;
  if (sent === undefined || id === null || isService(names)) return [];
  const { fromMe, pn } = sent;
  const chat = chatOf(sent);
  const name = nameOf(names?.notifyName ?? names?.pushName ?? names?.Info?.PushName);
  const others = [names?.key?.remoteJidAlt].concat(
    fromMe ? [names?.Info?.RecipientAlt] : [names?.Info?.SenderAlt, names?.key?.senderPn, pn],
  );
  const person = personNamed(chat, others, fromMe ? null : name);
  if (person === null) return [];
  const at = timeOf(sent.timestamp, receivedAt);
  const content = contentOfMessage({ ...sent, id }, [chat, ...others]);
  if (!fromMe) {
    const address = personIn(chat, null);
    return [
      {
        type: "message",
        messageId: null,
        providerMessageId: id,
        from: person,
        address: address?.userId ?? address?.phone ?? null,
        ...content,
        at,
      },
    ];
  }
  const viaApi = sent.source === "api" || (sent.source === "app" ? false : null);
  return [{ type: "own", providerMessageId: id, providerKey: keyOfOwn(id), to: person, ...content, at, viaApi }];
}

const vote = z.object({
  vote: z.object({
    id: messageId,
    from: lenientText,
    fromMe: z.boolean().catch(false),
    selectedOptions: z.array(z.string()).catch([]),
    timestamp: z.unknown().optional(),
  }),
  poll: lenientObject({ id: messageId.nullish().catch(null) }),
});

/** Source: waha.devlike.pro/docs/how-to/polls */
export function voteEvents(raw: unknown, receivedAt: number): ChannelEvent[] {
  const { data } = vote.safeParse(raw);
  const id = idOf(data?.vote.id);
  if (data === undefined || id === null || data.vote.fromMe) return [];
  const { from, selectedOptions, timestamp } = data.vote;
  const chat = parseMessageId(id)?.chat ?? from ?? "";
  const person = personIn(chat, null);
  if (person === null) return [];
  const chosen = selectedOptions.map((option) => storable(option).slice(0, 200).toWellFormed());
  return [
    {
      type: "message",
      messageId: null,
      providerMessageId: id,
      from: person,
      address: person.userId ?? person.phone,
      body: storable(labelled("poll vote", listed(...chosen.slice(0, 100)))),
      parts: {
        type: "unsupported",
        content: { kind: "poll_vote", content: fitJson({ options: chosen }) },
        media: null,
        replyTo: keysOfId(data.poll?.id, chatForms([chat, from])),
        isForwarded: false,
        referral: null,
      },
      at: timeOf(timestamp, receivedAt),
    },
  ];
}

const actionFields = z.object({ id: messageId, from: lenientText, to: lenientText, fromMe: z.boolean().catch(false) });

const edited = actionFields.extend({
  editedMessageId: lenientText,
  body: lenientText,
  hasMedia: lenientBoolean,
});
const revoked = z.object({
  revokedMessageId: lenientText,
  after: actionFields.nullish().catch(null),
  before: actionFields.nullish().catch(null),
});

type Action = z.infer<typeof actionFields>;

/**
 * WAHA sends the id of the edited or deleted message without its chat. We take the chat from the event, because the
 * edit or deletion is always in the same chat as the message.
 */
function revisionsOf(
  { id, from, to, fromMe }: Action,
  changed: LenientText,
  change: Pick<RevisionEvent, "kind" | "body" | "at">,
): ChannelEvent[] {
  const [own, ownOfChange] = [idOf(changed), idOf(id)];
  const chats = [parseMessageId(id)?.chat, fromMe ? (to ?? from) : from].flatMap((chat) => idOf(chat) ?? []);
  const person = chats.map((chat) => personIn(chat, null)).find((found) => found !== null);
  if (own === null || ownOfChange === null || person === undefined) return [];
  const bare = parseMessageId(own)?.id ?? own;
  const providerKeys = fromMe ? [keyOfOwn(bare)] : [...new Set(chats.map((chat) => `false_${chat}_${bare}`))];
  // The id contains the time, because some engines give an edit the id of the edited message. Without the time,
  // two edits of a message would have the same id.
  const revisionId = `${ownOfChange} ${change.at}`;
  return [{ type: "revision", revisionId, providerKeys, by: fromMe ? null : person, ...change }];
}

export function editEvents(raw: unknown, at: number): ChannelEvent[] {
  const { data } = edited.safeParse(raw);
  if (data === undefined) return [];
  // If a message has a file, its body is the caption. The sender can remove the caption, and the body is then empty and
  // must stay empty. `bodyOf` would replace it with a placeholder.
  const body = data.hasMedia ? storable(data.body ?? "") : bodyOf(data.body);
  return revisionsOf(data, data.editedMessageId, { kind: "edit", body, at });
}

export function revokeEvents(raw: unknown, at: number): ChannelEvent[] {
  const { data } = revoked.safeParse(raw);
  const change = data?.after ?? data?.before;
  if (data === undefined || !change) return [];
  return revisionsOf(change, data.revokedMessageId ?? data.before?.id, { kind: "revoke", body: null, at });
}
