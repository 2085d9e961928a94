import type { InboundEvent } from "../../channels/channel.ts";
import type { SQL } from "../../db/client.ts";
import type { Ctx } from "../../shared/context.ts";
import { phoneKey } from "../../shared/phone.ts";
import { chooseMarketing } from "../contacts/choose-marketing.repository.ts";
import {
  firstMatch,
  insertContact,
  insertIdentity,
  nextSeq,
  seqByExternalId,
  seqByPhone,
  suppress,
  suppressionKeys,
  unsuppress,
  welcomeBack,
} from "../contacts/contacts.service.ts";
import { noteInbound } from "../conversations/conversations.service.ts";
import * as repository from "./receive-message.repository.ts";
import { applyTo, waitingFor } from "./receive-revision.repository.ts";

/** Providers retry for a week; what claims to be older, or from the future, is dated by its arrival's bounds. */
const MAX_AGE_MS = 7 * 86_400_000;

export const arrivalOf = (ctx: Ctx, at: number): number => Math.min(ctx.now(), Math.max(at, ctx.now() - MAX_AGE_MS));

/** The contact a provider means, or null, in SQL: by number, then by the ids the provider uses. */
export const personMatch = (
  ctx: Ctx,
  connectionId: string,
  { phone, userId, aliases = [] }: Pick<InboundEvent["from"], "phone" | "userId" | "aliases">,
): SQL =>
  firstMatch(
    ...(phone === null ? [] : [seqByPhone(ctx, phoneKey(phone))]),
    ...[userId, ...aliases].filter((id) => id !== null).map((id) => seqByExternalId(ctx, connectionId, id)),
  );

export interface Received {
  connectionId: string;
  event: InboundEvent;
  /** What the whole message means, if it is one of the opt-out or opt-in words. */
  word: "stop" | "start" | null;
  /** Whether the whole message asks for no more marketing. */
  stopsMarketing: boolean;
}

/**
 * Stores an inbound message once, in one batch: finds or makes the contact, opens the conversation, obeys STOP and START.
 * The provider's message id tells a repeat. Everything before the message itself hangs on the message not being there yet.
 */
export async function receiveMessage(ctx: Ctx, { connectionId, event, word, stopsMarketing }: Received): Promise<void> {
  const { phone, userId, name, aliases = [] } = event.from;
  const address = phone ?? userId;
  if (address === null) throw new Error("An inbound message names nobody.");
  const at = arrivalOf(ctx, event.at);
  const wroteFrom = event.address ?? address;
  const written = { address: wroteFrom, phoneKey: wroteFrom === phone ? phoneKey(phone) : null };
  const id = event.messageId ?? ctx.newId("msg", at);
  const contactId = ctx.newId("ct");
  const key = phone === null ? null : phoneKey(phone);

  const match = personMatch(ctx, connectionId, { phone, userId, aliases });
  const seq = repository.contactSeqOf(match, contactId);
  const isNew = repository.isNew(ctx, connectionId, event.providerMessageId);
  // START asks for everything again: who pressed a template's button has no other way back.
  const marketing = word === "start" ? "resume" : stopsMarketing ? "stop" : null;
  const contact = { id: contactId, phone, phoneKey: key, name, source: "inbound" };

  const waiting = await repository.store(ctx, [
    insertContact(ctx, contact, nextSeq(ctx), repository.both(repository.isUnknown(match), isNew)),
    welcomeBack(ctx, seq, name, isNew),
    ...(userId === null ? [] : [insertIdentity(ctx, connectionId, userId, seq, isNew)]),
    ...(word === "stop" ? [suppress(ctx, suppressionKeys(seq), at, isNew)] : []),
    ...(word === "start" ? [unsuppress(ctx, suppressionKeys(seq), isNew)] : []),
    ...(marketing === null ? [] : chooseMarketing(ctx, suppressionKeys(seq), { marketing, at }, isNew)),
    noteInbound(
      ctx,
      ctx.newId("cnv"),
      { messageId: id, connectionId, contactSeq: seq, ...written, body: event.body, at },
      isNew,
    ),
    repository.insertReceived(
      ctx,
      { id, connectionId, contactSeq: seq, address, body: event.body, providerMessageId: event.providerMessageId, at },
      isNew,
    ),
    waitingFor(connectionId, event.providerMessageId),
  ]);
  if (waiting.length > 0) await applyTo(ctx, connectionId, event.providerMessageId);
}
