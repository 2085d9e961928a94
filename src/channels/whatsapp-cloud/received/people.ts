// People in Meta's webhooks, and a parser of list elements.
import * as z from "zod";
import { inboundPhone } from "../../../shared/text/phone.ts";
import type { ChannelEvent, StatusEvent } from "../../channel.ts";
import { lenientText } from "../../lenient.ts";
import type { Person } from "../../people.ts";
import { idOf, nameOf } from "../../readable.ts";

export type Text = z.infer<typeof lenientText>;

/** An element of `contacts`, which comes with messages and statuses. */
export const contact = z.object({
  wa_id: lenientText,
  user_id: lenientText,
  profile: z.object({ name: lenientText, username: lenientText }).nullish().catch(null),
});

export type Contact = z.infer<typeof contact>;

/** Parses one element; returns nothing if it is malformed. */
export const each =
  <S extends z.ZodType>(shape: S, read: (value: z.output<S>) => ChannelEvent[]) =>
  (raw: unknown): ChannelEvent[] => {
    const { success, data } = shape.safeParse(raw);
    return success ? read(data) : [];
  };

/** Account ids are usually numbers, but not always. */
const PHONE = /^\+?\d{5,20}$/;

export const phoneOf = (id: Text): string | null =>
  id !== null && id !== undefined && PHONE.test(id) ? inboundPhone(id) : null;

/** A person by number or account id, user id, and the contact next to the message. */
export function personOf(id: Text, userId: Text, beside?: Contact): Person {
  const phone = phoneOf(id);
  const username = nameOf(beside?.profile?.username);
  return {
    phone,
    userId: idOf(userId) ?? (phone === null ? idOf(id) : null),
    name: nameOf(beside?.profile?.name),
    ...(username !== null && { username }),
  };
}

/** The recipient of a status; null without a user id. */
export function recipientOf(
  { recipient_id, recipient_user_id }: { recipient_id?: Text; recipient_user_id?: Text },
  contacts: Contact[],
): NonNullable<StatusEvent["recipient"]> | null {
  const recipient =
    contacts.find(({ wa_id, user_id }) =>
      recipient_user_id ? user_id === recipient_user_id : recipient_id && wa_id === recipient_id,
    ) ?? (contacts.length === 1 && !recipient_user_id && !recipient_id ? contacts[0] : undefined);
  const userId = idOf(recipient_user_id ?? recipient?.user_id);
  return userId === null ? null : { phone: phoneOf(recipient_id ?? recipient?.wa_id), userId };
}
