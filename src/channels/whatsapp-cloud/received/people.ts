import * as z from "zod";
import { inboundPhone } from "../../../shared/text/phone.ts";
import type { ChannelEvent, StatusEvent, Person, IdentityEvent } from "../../channel-events.ts";
import { lenientText, lenientObject, type LenientText, idOf, nameOf, timeOf } from "../../provider-input.ts";

export const contact = z.object({
  wa_id: lenientText,
  user_id: lenientText,
  profile: lenientObject({ name: lenientText, username: lenientText }),
});

export type Contact = z.infer<typeof contact>;

export const each =
  <S extends z.ZodType>(shape: S, read: (value: z.output<S>) => ChannelEvent[]) =>
  (raw: unknown): ChannelEvent[] => {
    const { success, data } = shape.safeParse(raw);
    return success ? read(data) : [];
  };

/**
 * Meta may send a WhatsApp account id instead of a phone number. We read both as a phone number, because the account id
 * normally has the same digits.
 */
const PHONE = /^\+?\d{5,20}$/;

export const phoneOf = (id: LenientText): string | null =>
  id !== null && id !== undefined && PHONE.test(id) ? inboundPhone(id) : null;

export function personOf(id: LenientText, userId: LenientText, beside?: Contact): Person {
  const phone = phoneOf(id);
  const username = nameOf(beside?.profile?.username);
  return {
    phone,
    userId: idOf(userId) ?? (phone === null ? idOf(id) : null),
    name: nameOf(beside?.profile?.name),
    ...(username !== null && { username }),
  };
}

export function recipientOf(
  { recipient_id, recipient_user_id }: { recipient_id?: LenientText; recipient_user_id?: LenientText },
  contacts: Contact[],
): NonNullable<StatusEvent["recipient"]> | null {
  const recipient =
    contacts.find(({ wa_id, user_id }) =>
      recipient_user_id ? user_id === recipient_user_id : recipient_id && wa_id === recipient_id,
    ) ?? (contacts.length === 1 && !recipient_user_id && !recipient_id ? contacts[0] : undefined);
  const userId = idOf(recipient_user_id ?? recipient?.user_id);
  return userId === null ? null : { phone: phoneOf(recipient_id ?? recipient?.wa_id), userId };
}

/**
 * Meta sends such a `system` message from the old number when a person changes their number or user id. If
 * `previous_user_id` is missing, the old user id is in the text or in the message's `from_user_id`.
 */
export const systemNotice = lenientObject({
  type: lenientText,
  body: lenientText,
  wa_id: lenientText,
  new_wa_id: lenientText,
  user_id: lenientText,
  previous_user_id: lenientText,
});

const MOVES = new Set([
  "user_changed_number",
  "customer_changed_number",
  "user_changed_user_id",
  "customer_changed_user_id",
]);

/** Reads the old and the new value from Meta's text: "User Ann changed from <before> to <now>". */
const CHANGE = /\bchanged from (?<before>\S+) to (?<now>\S+?)\.?$/;

const named = (id: LenientText) => ({
  phone: phoneOf(id),
  userId: phoneOf(id) === null ? idOf(id) : null,
});

export function identityEvents(
  sent: { id: string; from?: LenientText; from_user_id?: LenientText; system?: z.infer<typeof systemNotice> },
  at: number,
): ChannelEvent[] {
  const noticeId = idOf(sent.id);
  const { system } = sent;
  if (noticeId === null || !system || !MOVES.has(system.type ?? "")) return [];
  const inText = CHANGE.exec(system.body?.trim() ?? "")?.groups;
  const [textBefore, textNow] = [named(inText?.["before"]), named(inText?.["now"])];
  const before = {
    phone: phoneOf(sent.from) ?? textBefore.phone,
    userId: idOf(system.previous_user_id) ?? textBefore.userId ?? idOf(sent.from_user_id),
  };
  const now = {
    phone: phoneOf(system.wa_id ?? system.new_wa_id) ?? textNow.phone,
    userId: idOf(system.user_id) ?? textNow.userId,
  };
  return keepMeaningful({ type: "identity", noticeId, before, now, at });
}

function keepMeaningful(event: IdentityEvent): ChannelEvent[] {
  const { before, now } = event;
  const newId = now.userId === before.userId ? null : now.userId;
  const newPhone = now.phone === before.phone ? null : now.phone;
  const isSomebody = before.phone !== null || before.userId !== null;
  return isSomebody && (newId !== null || newPhone !== null) ? [event] : [];
}

const idUpdate = z.object({
  wa_id: lenientText,
  timestamp: z.unknown().optional(),
  user_id: lenientObject({ previous: lenientText, current: lenientText }),
});

export function idUpdateEvents(value: Record<string, unknown>, receivedAt: number): ChannelEvent[] {
  const updates = z.array(z.unknown()).catch([]).parse(value["user_id_update"]);
  return updates.flatMap((raw) => {
    const { data } = idUpdate.safeParse(raw);
    const [previous, current] = [idOf(data?.user_id?.previous), idOf(data?.user_id?.current)];
    if (data === undefined || previous === null || current === null) return [];
    const phone = phoneOf(data.wa_id);
    const at = timeOf(data.timestamp, receivedAt);
    return keepMeaningful({
      type: "identity",
      // The id contains the time because a person can return to an earlier id and then make the same change again. The
      // second change must be a new notice.
      noticeId: `user_id_update:${previous}:${current}:${JSON.stringify(data.timestamp ?? "")}`,
      before: { phone, userId: previous },
      now: { phone, userId: current },
      at,
    });
  });
}

const preference = z.object({
  wa_id: lenientText,
  user_id: lenientText,
  category: z.literal("marketing_messages"),
  value: z.enum(["stop", "resume"]),
  timestamp: z.unknown().optional(),
});

export function marketingEvent(
  person: { id: string | null | undefined; userId: string | null | undefined },
  marketing: "stop" | "resume",
  at: number,
): ChannelEvent[] {
  const from = personOf(person.id, person.userId);
  if (from.phone === null && from.userId === null) return [];
  const alias = idOf(person.id);
  const aliases = alias === null || alias === from.userId ? [] : [alias];
  return [{ type: "preference", from: { ...from, aliases }, marketing, at }];
}

export const preferenceEvents = (preferences: readonly unknown[], receivedAt: number): ChannelEvent[] =>
  preferences.flatMap(
    each(preference, ({ wa_id, user_id, value, timestamp }) =>
      marketingEvent({ id: wa_id, userId: user_id }, value, timeOf(timestamp, receivedAt)),
    ),
  );
