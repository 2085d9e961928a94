import type { InboundEvent } from "../../../channels/channel.ts";
import type { Person } from "../../../channels/people.ts";
import type { Ctx } from "../../../shared/context.ts";
import { DAY_MS } from "../../../shared/durations.ts";
import { phoneKey } from "../../../shared/phone.ts";
import {
  type KnownPerson,
  attachPhone,
  insertIdentities,
  refuseSeveral,
  seqOfPerson,
} from "../../contacts/identify-people.sql.ts";
import { chooseMarketing } from "../../contacts/choose-marketing.sql.ts";
import { insertContact, nextSeq, suppress, unsuppress, welcomeBack } from "../../contacts/contacts.sql.ts";
import { keysFollowing, liftOlderOptOuts, noteOptIn, WHOLE_SECOND_MS } from "../../contacts/follow-changes.sql.ts";
import { noteInbound } from "../../conversations/conversations.sql.ts";
import { asOnePerson } from "./join-contacts.ts";
import * as repository from "./receive-message.sql.ts";
import { applyTo, waitingFor } from "./receive-revision.sql.ts";

/** Providers retry for a week; what claims to be older, or from the future, is dated by its arrival's bounds. */
const MAX_AGE_MS = 7 * DAY_MS;

export const arrivalOf = (ctx: Ctx, at: number): number => Math.min(ctx.now(), Math.max(at, ctx.now() - MAX_AGE_MS));

/** A provider's names for somebody, as contacts know people. */
export const namesOf = ({ phone, userId, username = null, aliases = [] }: Person): KnownPerson => ({
  phone,
  userIds: userId === null ? [] : [userId],
  aliases,
  username,
});

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
 * The provider's message id tells a repeat. Everything before the message itself hangs on the message not being there yet. Nothing
 * is stored before all that the sender is known by is one contact: what the message asks for holds for the whole person.
 */
export async function receiveMessage(ctx: Ctx, { connectionId, event, word, stopsMarketing }: Received): Promise<void> {
  const { phone, userId, name } = event.from;
  const address = phone ?? userId;
  if (address === null) throw new Error("An inbound message names nobody.");
  const at = arrivalOf(ctx, event.at);
  const wroteFrom = event.address ?? address;
  const written = { address: wroteFrom, phoneKey: wroteFrom === phone ? phoneKey(phone) : null };
  const id = event.messageId ?? ctx.newId("msg", at);
  const contactId = ctx.newId("ct");
  const key = phone === null ? null : phoneKey(phone);

  const person = namesOf(event.from);
  const match = seqOfPerson(ctx, connectionId, person, at);
  const seq = repository.contactSeqOf(match, contactId);
  const isNew = repository.isNew(ctx, connectionId, event.providerMessageId);
  // START asks for everything again: who pressed a template's button has no other way back.
  const marketing = word === "start" ? "resume" : stopsMarketing ? "stop" : null;
  const contact = { id: contactId, phone, phoneKey: key, name, source: "inbound" };
  const optOutKeys = repository.optOutKeys(seq, key);
  // A late word holds for the names, too, that the person got since.
  const newerKeys = keysFollowing(ctx, connectionId, { phone, userId }, at);
  const allKeys = repository.keysInAny(optOutKeys, newerKeys);

  const statements = [
    refuseSeveral(ctx, connectionId, person, isNew),
    repository.noteReachable(ctx, connectionId, at),
    ...attachPhone(ctx, connectionId, person, isNew),
    insertContact(ctx, contact, nextSeq(ctx), repository.both(repository.isUnknown(match), isNew)),
    welcomeBack(ctx, seq, name, isNew),
    ...insertIdentities(ctx, connectionId, person, seq, isNew),
    ...(word === "stop"
      ? [suppress(ctx, allKeys, at, isNew), ...liftOlderOptOuts(ctx, { keys: allKeys, seq, since: at }, isNew)]
      : []),
    ...(word === "start"
      ? [unsuppress(ctx, allKeys, isNew, { at: at + WHOLE_SECOND_MS }), noteOptIn(ctx, allKeys, at, isNew)]
      : []),
    ...(marketing === null
      ? []
      : [optOutKeys, newerKeys].flatMap((keys) => chooseMarketing(ctx, keys, { marketing, at }, isNew))),
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
  ];
  const waiting = await asOnePerson(ctx, connectionId, person, () => repository.store(ctx, statements));
  if (waiting.length > 0) await applyTo(ctx, connectionId, event.providerMessageId);
}
