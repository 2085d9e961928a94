// Receiving a message: the statements of one batch, in their order. All of them require that the message is new.
// 1. Append the events of the contact, the conversation and the message.
// 2. Fail if the number and the ids lead to several contacts; else give the one contact the number.
// 3. Lift `error` from a connection that was unreachable.
// 4. Add the contact or restore it, and store its ids.
// 5. Apply STOP, START and the choice about marketing.
// 6. Give the message that this one names its key.
// 7. Open or update the conversation.
// 8. Add the file that is to be fetched.
// 9. Insert the message, after the reaction and before the quote that it is.
// 10. Append the events of contacts whose opt-outs changed.
// 11. Select a revision that waits for the message, and the file that is to be fetched.
import type { InboundEvent } from "../../../channels/channel.ts";
import type { Ctx } from "../../../shared/context.ts";
import { phoneKey } from "../../../shared/text/phone.ts";
import { appendSnapshotEvents } from "../../contacts/contact-snapshots.sql.ts";
import { storeMarketingChoice } from "../../contacts/opt-outs/choose-marketing.sql.ts";
import { laterOptOutKeys } from "../../contacts/identity/follow-identity-changes.sql.ts";
import { storeStart, storeStop } from "../../contacts/opt-outs/opt-ins.sql.ts";
import { hasProviderIds } from "../../contacts/identity/identify-people.sql.ts";
import { prepareContact } from "../../contacts/identity/prepare-contact.sql.ts";
import { openedByMessageEvent } from "../../conversations/conversation-events.sql.ts";
import { upsertInboundConversation } from "../../conversations/upsert-conversations.sql.ts";
import { appendEvents, eventsOf } from "../../events/append-events.sql.ts";
import { insertPartsMedia, isReaction, storeNamedKey, toStoredParts } from "./message-parts.sql.ts";
import { boundEventTime, identifiersOf } from "./read-event.ts";
import {
  insertInboundMessage,
  isNewMessage,
  markReachableOnReceive,
  optOutKeysOfSender,
  receivedMessageEvent,
  unionOfKeys,
} from "./receive-message.sql.ts";
import { referencesOf, storeMessage } from "./store-message.ts";

/** The request that a text makes by being, as a whole, an opt-out word or the button of a marketing template. */
export interface OptOutRequest {
  word: "stop" | "start" | null;
  stopsMarketing: boolean;
}

export interface ReceivedMessage extends OptOutRequest {
  connectionId: string;
  event: InboundEvent;
}

/**
 * Stores an inbound message once, in one batch: finds or adds the contact, opens the conversation, applies STOP and START.
 * Every other statement requires that the message is not there yet, so a repeat changes nothing. Contacts that the sender's
 * identifiers lead to are merged first, since a STOP holds for the whole person. A reaction opens the window, as it does at
 * WhatsApp, and counts as nothing unread.
 */
export async function receiveMessage(
  ctx: Ctx,
  { connectionId, event, word, stopsMarketing }: ReceivedMessage,
): Promise<void> {
  const { phone, userId, name } = event.from;
  const address = phone ?? userId;
  if (address === null) throw new Error("An inbound message has no sender.");
  const at = boundEventTime(event.at, ctx.now());
  const person = identifiersOf(event.from);
  const providerKey = event.providerMessageId;
  const isNew = isNewMessage(ctx, connectionId, providerKey);
  const { seq, events, match, upsert } = prepareContact(ctx, connectionId, { person, name, at }, isNew);
  const parts = toStoredParts(ctx, event.parts);
  const message = {
    id: event.messageId ?? ctx.newId("msg", at),
    connectionId,
    contactSeq: seq,
    address,
    body: event.body,
    providerMessageId: event.providerMessageId,
    providerKey,
    at,
    parts,
    isStandby: event.isStandby === true,
  };
  const wroteFrom = event.address ?? address;
  const wroteFromKey = wroteFrom === phone ? phoneKey(phone) : null;

  // START opts in to everything: it is the only way back for people who pressed a template's button.
  const marketing = word === "start" ? "resume" : stopsMarketing ? "stop" : null;
  const senderKeys = optOutKeysOfSender(seq, phone === null ? null : phoneKey(phone));
  // A word that arrives late holds for the number and the id, too, that the person got since.
  const laterKeys = laterOptOutKeys(ctx, connectionId, { phone, userId }, at);
  const keys = unionOfKeys(senderKeys, laterKeys);

  const conversationId = ctx.newId("cnv");
  const references = referencesOf(ctx, message, { fromContact: true, isNew });
  await storeMessage(ctx, { connectionId, providerKey, parts }, [
    appendEvents(
      ctx,
      eventsOf([
        ...events,
        openedByMessageEvent(conversationId, message, isNew, { reopens: !message.isStandby }),
        receivedMessageEvent(message.id, isNew),
      ]),
    ),
    ...match,
    ...markReachableOnReceive(ctx, connectionId, at),
    ...upsert,
    ...(word === "stop" ? storeStop(ctx, { keys, seq, at }, isNew) : []),
    ...(word === "start" ? storeStart(ctx, keys, at, isNew) : []),
    ...(marketing === null
      ? []
      : [senderKeys, laterKeys].flatMap((chosenFor) => storeMarketingChoice(ctx, chosenFor, { marketing, at }, isNew))),
    ...storeNamedKey(message, isNew),
    upsertInboundConversation(
      ctx,
      conversationId,
      {
        ...message,
        wroteFrom,
        wroteFromKey,
        isUnread: !isReaction(parts),
        isStop: word === "stop",
        isHandled: message.isStandby,
      },
      isNew,
    ),
    ...insertPartsMedia(ctx, connectionId, parts, isNew),
    ...references.before,
    insertInboundMessage(ctx, message, isNew),
    ...references.after,
    // An opt-out also comes with a number or an id that the contact gets.
    ...(marketing !== null || word !== null || hasProviderIds(person) ? appendSnapshotEvents(ctx) : []),
  ]);
}
