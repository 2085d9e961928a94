// Choices that people make in WhatsApp. Source:
// developers.facebook.com/documentation/business-messaging/whatsapp/webhooks/reference/user_preferences
import * as z from "zod";
import type { ChannelEvent } from "../../channel.ts";
import { lenientText } from "../../lenient.ts";
import { idOf, timeOf } from "../../readable.ts";
import { each, personOf } from "./people.ts";

const preference = z.object({
  wa_id: lenientText,
  user_id: lenientText,
  category: z.literal("marketing_messages"),
  value: z.enum(["stop", "resume"]),
  timestamp: z.unknown().optional(),
});

/** A person's marketing choice, by WhatsApp's `id` of the number or by user id; nothing if both are missing. */
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

/** The events of a `user_preferences` value. */
export const preferenceEvents = (preferences: readonly unknown[], receivedAt: number): ChannelEvent[] =>
  preferences.flatMap(
    each(preference, ({ wa_id, user_id, value, timestamp }) =>
      marketingEvent({ id: wa_id, userId: user_id }, value, timeOf(timestamp, receivedAt)),
    ),
  );
