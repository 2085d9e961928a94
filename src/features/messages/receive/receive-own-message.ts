// Receives messages that the workspace sent from its phone. Providers also report the messages that we sent. Such a
// report is called an echo.
import { sql, type SQL } from "drizzle-orm";
import type { OwnMessageEvent, StatusEvent } from "../../../channels/channel-events.ts";
import { columns, updateSet } from "../../../db/columns.ts";
import { messages } from "../../../db/schema/index.ts";
import type { Ctx } from "../../../shared/context.ts";
import { DAY_MS } from "../../../shared/time/durations.ts";
import { appendSnapshotEvents } from "../../contacts/contact-snapshots.sql.ts";
import { failIfSeveralContacts, hasProviderIds } from "../../contacts/identity/identify-people.sql.ts";
import { prepareContact } from "../../contacts/identity/prepare-contact.sql.ts";
import { upsertOutboundConversation } from "../../conversations/upsert-conversations.sql.ts";
import { appendEvents, event, eventsOf } from "../../events/append-events.sql.ts";
import { isHiddenReaction } from "../messages.sql.ts";
import { PROVIDER_AGENT, state } from "../messages.states.ts";
import { recordMoves } from "../settle/record-moves.sql.ts";
import { toStatusProgress } from "../settle/settle-statuses.ts";
import { keepEarlyStatus, applyEarlyStatuses } from "../settle/settle-statuses.sql.ts";
import { storeReportedKeys } from "../settle/store-reported-keys.sql.ts";
import { insertPartsMedia, isReaction, storeNamedKey, toStoredParts } from "./message-parts.sql.ts";
import { boundEventTime, identifiersOf, toReportedMessage } from "./read-event.ts";
import {
  insertProviderMessage,
  isNewMessage,
  type ProviderMessageRow,
  referencesOf,
  storeMessage,
} from "./store-message.ts";

const isNewOwnMessage = (ctx: Ctx, connectionId: string, providerKey: string): SQL =>
  isNewMessage(ctx, connectionId, providerKey, sql`deleted_at IS NULL`);

/**
 * An echo proves that the provider accepted a message whose result we do not know. It does not contain our id, so this
 * selects the oldest such message to this person with this text.
 */
const isEchoed = (ctx: Ctx, message: ProviderMessageRow, since: string, condition: SQL): SQL => sql`
  id = (SELECT id FROM messages
    WHERE contact_seq = ${message.contactSeq} AND connection_id = ${message.connectionId} AND id > ${since}
      AND workspace_id = ${ctx.workspace.id} AND NOT from_contact
      AND (state IN (${state.claimed}, ${state.unknown}) OR (state = ${state.queued} AND attempts > 0))
      AND provider_key IS NULL AND body <> '' AND trim(body) = trim(${message.body})
    ORDER BY id LIMIT 1)
  AND ${condition}`;

const openedByOwnMessageEvent = (
  { contactSeq, connectionId }: ProviderMessageRow,
  newConversationId: string,
  condition: SQL,
): SQL =>
  sql`
    SELECT ${event("conversation.opened", newConversationId, sql`'{"status":[null,"open"]}'`)} WHERE ${condition}
      AND NOT EXISTS (SELECT 1 FROM conversations WHERE contact_seq = ${contactSeq} AND connection_id = ${connectionId})`;

const ownMessageEvent = ({ id }: ProviderMessageRow, condition: SQL): SQL =>
  sql`SELECT ${event("message.sent", id, sql`'{"delivery":[null,"sent"]}'`)} WHERE ${condition}`;

const insertOwnMessage = (ctx: Ctx, message: ProviderMessageRow, condition: SQL): SQL =>
  insertProviderMessage(
    ctx,
    message,
    {
      fromContact: sql`FALSE`,
      state: state.sent,
      sentAt: message.at,
      ...(message.isStandby && { authorId: PROVIDER_AGENT }),
    },
    condition,
  );

const settleEchoedMessage = (ctx: Ctx, message: ProviderMessageRow, since: string, condition: SQL): SQL[] => {
  const echoed = isEchoed(ctx, message, since, condition);
  return [
    ...recordMoves(
      sql`SELECT id, workspace_id, connection_id, campaign_id, state AS from_state, ${state.sent} AS to_state,
          NULL AS error_code, error_code AS old_error_code FROM messages
        WHERE ${echoed} AND NOT ${isHiddenReaction(columns(messages))}`,
      { by: "provider", now: ctx.now() },
    ),
    updateSet(
      messages,
      {
        state: state.sent,
        nextAttemptAt: null,
        retryAt: null,
        sentAt: message.at,
        providerMessageId: message.providerMessageId,
        providerKey: message.providerKey,
      },
      sql`WHERE ${echoed}`,
    ),
  ];
};

/**
 * An echo arrives at most this long after its message was created. Older messages with the same text are therefore not
 * compared.
 */
const MAX_ECHO_DELAY_MS = DAY_MS;

/**
 * Stores a message from the workspace's phone. If the message is an echo of a message whose result we do not know, that
 * message becomes `sent` instead. A message that was sent through the API (`viaApi`) is stored only as a status.
 */
export async function receiveOwnMessage(ctx: Ctx, connectionId: string, own: OwnMessageEvent): Promise<void> {
  const { phone, userId, name } = own.to;
  const address = phone ?? userId;
  if (address === null) throw new Error("A message of the account has no recipient.");
  const { body, providerMessageId, providerKey, viaApi } = own;
  const at = boundEventTime(own.at, ctx.now());
  const person = identifiersOf(own.to);
  const isNew = isNewOwnMessage(ctx, connectionId, providerKey);
  const { seq, events, match, upsert } = prepareContact(ctx, connectionId, { person, name, at }, isNew);
  const id = ctx.newId("msg", at);
  const parts = toStoredParts(ctx, own.parts);
  const isStandby = own.isStandby === true;
  const sentMessage = { id, connectionId, contactSeq: seq, address, body, providerMessageId, providerKey };
  const message = { ...sentMessage, at, parts, isStandby };
  const since = ctx.newId("msg", ctx.now() - MAX_ECHO_DELAY_MS);
  // Must run before the statements for new messages: if the message is an echo, this stores its key on our message, so
  // that `isNew` becomes false and those statements do nothing.
  const settleEchoed = [
    failIfSeveralContacts(ctx, connectionId, person, isNew),
    ...(viaApi === false ? [] : settleEchoedMessage(ctx, message, since, isNew)),
  ];
  // If the key differs from the provider's id, our send has already stored it.
  const storeKey =
    providerKey === providerMessageId
      ? storeReportedKeys([toReportedMessage(ctx, connectionId, providerKey, own.to)])
      : [];
  const mergeEarlyStatuses = applyEarlyStatuses(ctx, JSON.stringify([{ connectionId, providerKey }]), {
    hasCampaigns: false,
  });
  if (viaApi === true) {
    const status: StatusEvent = { ...own, type: "status", messageId: null, status: "sent", at, error: null };
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
  // A reaction is visible only on its target message, so it has no event of its own: the target message gets the event.
  const isVisible = !isReaction(parts);
  const sent = isVisible
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
    ...(isVisible ? [upsertOutboundConversation(ctx, conversationId, id)] : []),
    ...mergeEarlyStatuses,
    // The statements above can add a number or id with an opt-out to the contact. The contact is then opted out too,
    // and this appends the event for that change.
    ...(hasProviderIds(person) ? appendSnapshotEvents(ctx) : []),
  ]);
}
