// Changes of a person's number or user id, as Meta's webhooks report them.
// Source: developers.facebook.com/documentation/business-messaging/whatsapp/business-scoped-user-ids
import * as z from "zod";
import type { ChannelEvent } from "../../channel.ts";
import type { IdentityEvent } from "../../people.ts";
import { lenientText } from "../../lenient.ts";
import { idOf, timeOf } from "../../readable.ts";
import { phoneOf, type Text } from "./people.ts";

/** A message of type `system`. The old number is the sender's; so is the old id, if it is missing. */
export const systemNotice = z
  .object({
    type: lenientText,
    body: lenientText,
    wa_id: lenientText,
    new_wa_id: lenientText,
    user_id: lenientText,
    previous_user_id: lenientText,
  })
  .nullish()
  .catch(null);

/** A new number or id, as opposed to a changed security code. */
const MOVES = new Set([
  "user_changed_number",
  "customer_changed_number",
  "user_changed_user_id",
  "customer_changed_user_id",
]);

/** "User Ann changed from <before> to <now>", for numbers and user ids. */
const CHANGE = /\bchanged from (?<before>\S+) to (?<now>\S+?)\.?$/;

const named = (id: Text) => ({
  phone: phoneOf(id),
  userId: phoneOf(id) === null ? idOf(id) : null,
});

/** The identity that a system message changes. System messages are never inbound text. */
export function identityEvents(
  sent: { id: string; from?: Text; from_user_id?: Text; system?: z.infer<typeof systemNotice> },
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

/** Keeps a notice that names a person and a new value. */
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
  user_id: z.object({ previous: lenientText, current: lenientText }).nullish().catch(null),
});

/** The same from a separate webhook field: the number stays, the user id changes. */
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
      // Includes the time, because a person may return to an earlier id.
      noticeId: `user_id_update:${previous}:${current}:${JSON.stringify(data.timestamp ?? "")}`,
      before: { phone, userId: previous },
      now: { phone, userId: current },
      at,
    });
  });
}
