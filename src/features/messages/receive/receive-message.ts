// Every statement of this batch has an effect only if the message is new. Most statements also depend on the earlier
// ones, so their order is fixed.
import { sql, type SQL } from "drizzle-orm";
import type { InboundEvent } from "../../../channels/channel-events.ts";
import type { Ctx } from "../../../shared/context.ts";
import { phoneKey } from "../../../shared/text/phone.ts";
import { clearUnreachable } from "../../connections/connection-status.sql.ts";
import { appendSnapshotEvents } from "../../contacts/contact-snapshots.sql.ts";
import { storeMarketingChoice, storeStart, storeStop } from "../../contacts/opt-outs/store-choices.sql.ts";
import { suppressionKeysBySeq } from "../../contacts/opt-outs/opt-outs.sql.ts";
import { laterOptOutKeys } from "../../contacts/identity/follow-identity-changes.sql.ts";
import { hasProviderIds } from "../../contacts/identity/identify-people.sql.ts";
import { prepareContact } from "../../contacts/identity/prepare-contact.sql.ts";
import { openedByMessageEvent, upsertInboundConversation } from "../../conversations/upsert-conversations.sql.ts";
import { appendEvents, event, eventsOf } from "../../events/append-events.sql.ts";
import { state } from "../messages.states.ts";
import { isReaction, toStoredParts, storeNamedKey, insertPartsMedia } from "./message-parts.sql.ts";
import { boundEventTime, identifiersOf } from "./read-event.ts";
import {
  insertProviderMessage,
  isNewMessage,
  type ProviderMessageRow,
  referencesOf,
  storeMessage,
} from "./store-message.ts";

export interface OptOutRequest {
  word: "stop" | "start" | null;
  stopsMarketing: boolean;
}

export interface ReceivedMessage extends OptOutRequest {
  connectionId: string;
  event: InboundEvent;
}

const insertInboundMessage = (ctx: Ctx, message: ProviderMessageRow, condition: SQL): SQL =>
  insertProviderMessage(
    ctx,
    message,
    { fromContact: sql`TRUE`, state: state.delivered, deliveredAt: message.at },
    condition,
  );

const receivedMessageEvent = (id: string, condition: SQL): SQL =>
  sql`SELECT ${event("message.received", id, sql`'{"delivery":[null,"delivered"]}'`)} WHERE ${condition}`;

/** If the message was written after the connection became unreachable, the provider is reachable again. */
const markReachableOnReceive = (ctx: Ctx, connectionId: string, at: number): SQL[] =>
  clearUnreachable(ctx, sql`${connectionId}`, sql`unreachable_since <= ${at}`);

/** Adds the key of the number from which the person wrote, because the contact might not have this number. */
const optOutKeysOfSender = (seq: SQL, key: string | null): SQL =>
  sql`${suppressionKeysBySeq(seq)} ${key === null ? sql`` : sql`UNION ALL SELECT ${key}`}`;

const unionOfKeys = (a: SQL, b: SQL): SQL => sql`SELECT key FROM (${a}) UNION SELECT key FROM (${b})`;

/** The sender's contacts are merged before a STOP is stored, because a STOP applies to the whole person. */
export async function receiveMessage(
  ctx: Ctx,
  { connectionId, event: inbound, word, stopsMarketing }: ReceivedMessage,
): Promise<void> {
  const { phone, userId, name } = inbound.from;
  const address = phone ?? userId;
  if (address === null) throw new Error("An inbound message has no sender.");
  const at = boundEventTime(inbound.at, ctx.now());
  const person = identifiersOf(inbound.from);
  const providerKey = inbound.providerMessageId;
  const isNew = isNewMessage(ctx, connectionId, providerKey);
  const { seq, events, match, upsert } = prepareContact(ctx, connectionId, { person, name, at }, isNew);
  const parts = toStoredParts(ctx, inbound.parts);
  const message = {
    id: inbound.messageId ?? ctx.newId("msg", at),
    connectionId,
    contactSeq: seq,
    address,
    body: inbound.body,
    providerMessageId: inbound.providerMessageId,
    providerKey,
    at,
    parts,
    isStandby: inbound.isStandby === true,
  };
  const wroteFrom = inbound.address ?? address;
  const wroteFromKey = wroteFrom === phone ? phoneKey(phone) : null;

  // START also resumes marketing, because people who stopped marketing with a template's button have no other way to
  // resume it.
  const marketing = word === "start" ? "resume" : stopsMarketing ? "stop" : null;
  const senderKeys = optOutKeysOfSender(seq, phone === null ? null : phoneKey(phone));
  // If a STOP or START arrives late, it also applies to the numbers and ids that the person got in the meantime.
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
    // The statements above can add a number or id with an opt-out to the contact. The contact is then opted out too,
    // and this appends the event for that change.
    ...(marketing !== null || word !== null || hasProviderIds(person) ? appendSnapshotEvents(ctx) : []),
  ]);
}
