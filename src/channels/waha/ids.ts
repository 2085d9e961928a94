import * as z from "zod";
import { inboundPhone } from "../../shared/text/phone.ts";
import type { Person } from "../channel-events.ts";
import { type LenientText, idOf } from "../provider-input.ts";

export const messageId = z.union([z.string(), z.object({ _serialized: z.string() }).transform((id) => id._serialized)]);

/** Example: `true_11111111111@c.us_3EB0AAAA`. In a group, the author's id follows. */
const SERIALIZED = /^(?<fromMe>true|false)_(?<chat>[^_@]+@[^_]+)_(?<id>[^_]+)/;

export function parseMessageId(id: string): { chat: string; id: string } | null {
  const groups = SERIALIZED.exec(id)?.groups;
  return groups?.["chat"] === undefined || groups["id"] === undefined
    ? null
    : { chat: groups["chat"], id: groups["id"] };
}

/**
 * Returns the key under which Tidings stores a message that the account sent. The key does not contain the chat,
 * because WAHA can name the same chat by number or by hidden id (`@lid`).
 */
export const keyOfOwn = (id: string): string => `true_${parseMessageId(id)?.id ?? id}`;

/** Also matches ids with a device number, such as `11111111111:12@c.us`, and leaves the device number out. */
const CHAT = /^(?<user>\d{5,20})(?::\d+)?@(?<server>c\.us|s\.whatsapp\.net|lid)$/;

export const chatForms = (chats: LenientText[]): string[] => {
  const forms = chats.flatMap((chat) => {
    const known = CHAT.exec(chat ?? "")?.groups;
    return known === undefined ? [] : [`${known["user"]}@${known["server"] === "lid" ? "lid" : "c.us"}`];
  });
  return [...new Set(forms)];
};

/**
 * Returns every key under which the message may be stored. An id such as `3EB0AAAA` shows neither the chat nor whether
 * the account or the contact sent the message, so several keys are possible.
 */
export function keysOfId(id: LenientText, chats: string[]): string[] {
  const named = idOf(id);
  if (named === null) return [];
  const parts = parseMessageId(named);
  const bare = parts?.id ?? named;
  if (named.startsWith("true_")) return [keyOfOwn(named)];
  const inboundKeys = [parts?.chat, ...chats]
    .flatMap((chat) => idOf(chat) ?? [])
    .map((chat) => `false_${chat}_${bare}`);
  const keys = parts === null ? [keyOfOwn(bare), ...inboundKeys] : inboundKeys;
  return [...new Set(keys)];
}

export function personIn(chat: string, name: string | null): Person | null {
  const known = CHAT.exec(chat)?.groups;
  const user = known?.["user"];
  if (user === undefined) return null;
  return known?.["server"] === "lid"
    ? { phone: null, userId: idOf(`${user}@lid`), name }
    : { phone: inboundPhone(user), userId: null, name };
}

export function personNamed(chat: string, others: LenientText[], name: string | null): Person | null {
  const person = personIn(chat, name);
  if (person === null) return null;
  const known = others.flatMap((other) => personIn(other ?? "", null) ?? []);
  const phone = person.phone ?? known.find((other) => other.phone !== null)?.phone ?? null;
  const userId = person.userId ?? known.find((other) => other.userId !== null)?.userId ?? null;
  return { ...person, phone, userId, ...(phone === null && { isPhoneHidden: true }) };
}

export const chatWith = (to: string): string => (to.includes("@") ? to : `${to.replace(/^\+/, "")}@c.us`);
