// Source:
// developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/reference/messages/contacts
import type { ContactCard } from "../../content.ts";
import { nonEmpty, shortText } from "../../provider-input.ts";
import type { CloudMessage } from "./bodies.ts";

const MAX_CARDS = 257;
const MAX_ENTRIES = 20;
const MAX_SHORT = 128;
const MAX_BIRTHDAY = 40;

type Sent = NonNullable<CloudMessage["contacts"]>[number];

function entries<Entry, Kept extends Record<string, unknown>>(
  list: Entry[] | null | undefined,
  keep: (entry: Entry) => Kept,
): Kept[] | null {
  const kept = (list ?? [])
    .slice(0, MAX_ENTRIES)
    .map(keep)
    .filter((entry) => Object.keys(entry).length > 0);
  return kept.length === 0 ? null : kept;
}

function cardOf({ name, phones, emails, org, addresses, urls, birthday, user_id, origin }: Sent) {
  const { formatted_name, first_name, last_name } = name ?? {};
  const company = nonEmpty({ company: org?.company, department: org?.department, title: org?.title });
  const numbers = entries(phones, ({ phone, wa_id, user_id: userId, type }) => ({
    phone: phone ?? wa_id ?? "",
    ...nonEmpty({ type, wa_id: shortText(wa_id, MAX_SHORT), user_id: shortText(userId, MAX_SHORT) }),
  }));
  return {
    name: {
      formatted_name: formatted_name ?? [first_name, last_name].filter(Boolean).join(" "),
      ...nonEmpty({ first_name, last_name }),
    },
    phones: numbers ?? [],
    ...nonEmpty({
      emails: entries(emails, ({ email, type }) => ({ email: email ?? "", ...nonEmpty({ type }) })),
      org: Object.keys(company).length > 0 ? company : null,
      addresses: entries(addresses, nonEmpty),
      urls: entries(urls, ({ url, type }) => (url ? { url, ...nonEmpty({ type }) } : {})),
      birthday: shortText(birthday, MAX_BIRTHDAY),
      user_id: shortText(user_id, MAX_SHORT),
      origin: shortText(origin, MAX_SHORT),
    }),
  } satisfies Pick<ContactCard, "name" | "phones">;
}

export const contactCards = (sent: readonly Sent[]): Pick<ContactCard, "name" | "phones">[] =>
  sent.slice(0, MAX_CARDS).map(cardOf);
