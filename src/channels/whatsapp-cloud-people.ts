// Who Meta's webhooks are about, and how their elements are read.
import * as z from "zod";
import { inboundPhone } from "../shared/phone.ts";
import type { ChannelEvent } from "./channel.ts";
import type { Person } from "./people.ts";
import { idOf } from "./readable.ts";

const text = z.string().nullish().catch(null);

export const contact = z.object({
  wa_id: text,
  user_id: text,
  profile: z.object({ name: text }).nullish().catch(null),
});

/** A parser of one element that says nothing to what it does not understand. */
export const each =
  <S extends z.ZodType>(shape: S, read: (value: z.output<S>) => ChannelEvent[]) =>
  (raw: unknown): ChannelEvent[] => {
    const { success, data } = shape.safeParse(raw);
    return success ? read(data) : [];
  };

const PHONE = /^\+?\d{5,20}$/;

export function personOf(
  id: string | null | undefined,
  userId: string | null | undefined,
  name: string | null,
): Person {
  const isPhone = id !== null && id !== undefined && PHONE.test(id);
  return { phone: isPhone ? inboundPhone(id) : null, userId: idOf(userId) ?? (isPhone ? null : idOf(id)), name };
}
