import type { OwnMessageEvent, StatusEvent } from "../../../channels/channel-events.ts";
import type { Ctx } from "../../../shared/context.ts";
import { DAY_MS } from "../../../shared/time/durations.ts";
import { appendSnapshotEvents } from "../../contacts/contact-snapshots.sql.ts";
import { failIfSeveralContacts, hasProviderIds } from "../../contacts/identity/identify-people.sql.ts";
import { prepareContact } from "../../contacts/identity/prepare-contact.sql.ts";
import { upsertOutboundConversation } from "../../conversations/upsert-conversations.sql.ts";
import { appendEvents, eventsOf } from "../../events/append-events.sql.ts";
import { toStatusProgress } from "../settle/settle-statuses.ts";
import { keepEarlyStatus, applyEarlyStatuses } from "../settle/settle-statuses.sql.ts";
import { storeReportedKeys } from "../settle/store-reported-keys.sql.ts";
import { insertPartsMedia, isReaction, storeNamedKey, toStoredParts } from "./message-parts.sql.ts";
import { boundEventTime, identifiersOf, toReportedMessage } from "./read-event.ts";
import { insertOwnMessage } from "./receive-message.sql.ts";
import {
  isNewOwnMessage,
  openedByOwnMessageEvent,
  ownMessageEvent,
  settleEchoedMessage,
} from "./receive-own-message.sql.ts";
import { referencesOf, storeMessage } from "./store-message.ts";

/** How long after its creation a message can be echoed. */
const MAX_ECHO_DELAY_MS = DAY_MS;

/**
 * Stores a message from the account's phone once, as outbound. An echo of our own message is found by key or settles a send without
 * a clear response; echoes of other API senders are stored only as a status.
 */
export async function receiveOwnMessage(ctx: Ctx, connectionId: string, event: OwnMessageEvent): Promise<void> {
  const { phone, userId, name } = event.to;
  const address = phone ?? userId;
  if (address === null) throw new Error("A message of the account has no recipient.");
  const { body, providerMessageId, providerKey, viaApi } = event;
  const at = boundEventTime(event.at, ctx.now());
  const person = identifiersOf(event.to);
  const isNew = isNewOwnMessage(ctx, connectionId, providerKey);
  const { seq, events, match, upsert } = prepareContact(ctx, connectionId, { person, name, at }, isNew);
  const id = ctx.newId("msg", at);
  const parts = toStoredParts(ctx, event.parts);
  const isStandby = event.isStandby === true;
  const sentMessage = { id, connectionId, contactSeq: seq, address, body, providerMessageId, providerKey };
  const message = { ...sentMessage, at, parts, isStandby };
  const since = ctx.newId("msg", ctx.now() - MAX_ECHO_DELAY_MS);
  // Runs first among the statements that require a new message: once its send has the key, an echo is no longer new.
  const settleEchoed = [
    failIfSeveralContacts(ctx, connectionId, person, isNew),
    ...(viaApi === false ? [] : settleEchoedMessage(ctx, message, since, isNew)),
  ];
  // Other keys are stored with the message.
  const storeKey =
    providerKey === providerMessageId
      ? storeReportedKeys([toReportedMessage(ctx, connectionId, providerKey, event.to)])
      : [];
  const mergeEarlyStatuses = applyEarlyStatuses(ctx, JSON.stringify([{ connectionId, providerKey }]), {
    hasCampaigns: false,
  });
  if (viaApi === true) {
    const status: StatusEvent = { ...event, type: "status", messageId: null, status: "sent", at, error: null };
    const early = keepEarlyStatus(toStatusProgress(status, { workspace: ctx.workspace, connectionId }), ctx.now());
    return storeMessage(ctx, { connectionId, providerKey, parts: null }, [
      ...storeKey,
      ...settleEchoed,
      early,
      ...mergeEarlyStatuses,
    ]);
  }
  const conversationId = ctx.newId("cnv");
  const references = referencesOf(ctx, message, { fromContact: false, isNew });
  // A reaction is shown only on its target message, which has the event.
  const isShown = !isReaction(parts);
  const sent = isShown
    ? [openedByOwnMessageEvent(message, conversationId, isNew), ownMessageEvent(message, isNew)]
    : [];
  return storeMessage(ctx, { connectionId, providerKey, parts }, [
    ...storeKey,
    ...settleEchoed,
    appendEvents(ctx, eventsOf([...events, ...sent])),
    ...match,
    ...upsert,
    ...storeNamedKey(message, isNew),
    ...insertPartsMedia(ctx, connectionId, parts, isNew),
    ...references.before,
    insertOwnMessage(ctx, message, isNew),
    ...references.after,
    ...(isShown ? [upsertOutboundConversation(ctx, conversationId, id)] : []),
    ...mergeEarlyStatuses,
    // A number or id that the contact gets can bring an opt-out.
    ...(hasProviderIds(person) ? appendSnapshotEvents(ctx) : []),
  ]);
}
