import type { OwnMessageEvent, StatusEvent } from "../../../channels/channel.ts";
import type { Ctx } from "../../../shared/context.ts";
import { DAY_MS } from "../../../shared/durations.ts";
import { failIfSeveralContacts } from "../../contacts/identify-people.sql.ts";
import { prepareContact } from "../../contacts/prepare-contact.sql.ts";
import { upsertOutboundConversation } from "../../conversations/conversations.sql.ts";
import { toStatusProgress } from "../settle/settle-statuses.ts";
import { keepEarlyStatus, applyEarlyStatuses } from "../settle/settle-statuses.sql.ts";
import { boundEventTime, identifiersOf } from "./read-event.ts";
import { insertOwnMessage } from "./receive-message.sql.ts";
import { isNewOwnMessage, settleEchoedMessage } from "./receive-own-message.sql.ts";
import { storeMessage } from "./store-message.ts";

/** A send may get its echo this long after the message was made. */
const MAX_ECHO_DELAY_MS = DAY_MS;

/**
 * Stores a message that the account sent, from its own phone, as an outbound message of the conversation, once. The echo of a
 * message that Tidings sent is not a second one: it is found by its key, or settles the send whose answer is awaited or was lost.
 * An echo of another sender's message over the provider's API is stored as a status only.
 */
export async function receiveOwnMessage(ctx: Ctx, connectionId: string, event: OwnMessageEvent): Promise<void> {
  const { phone, userId, name } = event.to;
  const address = phone ?? userId;
  if (address === null) throw new Error("A message of the account has no recipient.");
  const { body, providerMessageId, providerKey, viaApi } = event;
  const at = boundEventTime(event.at, ctx.now());
  const person = identifiersOf(event.to);
  const isNew = isNewOwnMessage(ctx, connectionId, providerKey);
  const { seq, match, upsert } = prepareContact(ctx, connectionId, { person, name, at }, isNew);
  const id = ctx.newId("msg", at);
  const message = { id, connectionId, contactSeq: seq, address, body, providerMessageId, providerKey, at };
  const since = ctx.newId("msg", ctx.now() - MAX_ECHO_DELAY_MS);
  const settleEchoed = viaApi === false ? [] : settleEchoedMessage(ctx, message, since, isNew);
  const mergeEarlyStatuses = applyEarlyStatuses(ctx, JSON.stringify([{ connectionId, providerKey }]));
  if (viaApi === true) {
    const status: StatusEvent = { ...event, type: "status", messageId: null, status: "sent", at, error: null };
    const early = keepEarlyStatus(toStatusProgress(status, { workspace: ctx.workspace, connectionId }), ctx.now());
    return storeMessage(ctx, { connectionId, providerKey, person }, [
      failIfSeveralContacts(ctx, connectionId, person, isNew),
      ...settleEchoed,
      early,
      ...mergeEarlyStatuses,
    ]);
  }
  return storeMessage(ctx, { connectionId, providerKey, person }, [
    ...match,
    // Before all that requires a new message: an echo is not one any more once its send has the key.
    ...settleEchoed,
    ...upsert,
    insertOwnMessage(ctx, message, isNew),
    upsertOutboundConversation(ctx, ctx.newId("cnv"), id),
    ...mergeEarlyStatuses,
  ]);
}
