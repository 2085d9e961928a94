// What people choose in WhatsApp itself.
// Source: developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/reference/user_preferences
import * as z from "zod";
import type { ChannelEvent } from "../channel.ts";
import { text } from "../lenient.ts";
import { idOf, timeOf } from "../readable.ts";
import { each, personOf } from "./whatsapp-cloud-people.ts";

const preference = z.object({
  wa_id: text,
  user_id: text,
  category: z.literal("marketing_messages"),
  value: z.enum(["stop", "resume"]),
  timestamp: z.unknown().optional(),
});

/** A choice about marketing of somebody by `id`, WhatsApp's for the number, or by user id; nothing where neither is told. */
export function marketingEvent(
  who: { id: string | null | undefined; userId: string | null | undefined },
  marketing: "stop" | "resume",
  at: number,
): ChannelEvent[] {
  const person = personOf(who.id, who.userId);
  if (person.phone === null && person.userId === null) return [];
  const alias = idOf(who.id);
  const aliases = alias === null || alias === person.userId ? [] : [alias];
  return [{ type: "preference", from: { ...person, aliases }, marketing, at }];
}

/** The events of a value of the field `user_preferences`. */
export const preferenceEvents = (preferences: readonly unknown[], receivedAt: number): ChannelEvent[] =>
  preferences.flatMap(
    each(preference, ({ wa_id, user_id, value, timestamp }) =>
      marketingEvent({ id: wa_id, userId: user_id }, value, timeOf(timestamp, receivedAt)),
    ),
  );
