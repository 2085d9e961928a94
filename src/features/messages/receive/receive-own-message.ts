import type { OwnMessageEvent, StatusEvent } from "../../../channels/channel.ts";
import type { SQL } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { DAY_MS } from "../../../shared/durations.ts";
import { phoneKey } from "../../../shared/phone.ts";
import { insertContact, nextSeq, welcomeBack } from "../../contacts/contacts.sql.ts";
import { attachPhone, insertIdentities, refuseSeveral, seqOfPerson } from "../../contacts/identify-people.sql.ts";
import { noteOutbound } from "../../conversations/conversations.sql.ts";
import { asOnePerson } from "./join-contacts.ts";
import { arrivalOf, namesOf } from "./receive-message.ts";
import { applyTo, waitingFor } from "./receive-revision.sql.ts";
import { both, contactSeqOf, isUnknown, store } from "./receive-message.sql.ts";
import * as repository from "./receive-own-message.sql.ts";
import { progressOf } from "../settle/settle-statuses.ts";
import { keepOneEarly, mergeEarly } from "../settle/settle-statuses.sql.ts";

/** How long after it was made a message may still have been on its way out. */
const ON_ITS_WAY_MS = DAY_MS;

/**
 * Stores what the account itself sent, from its phone, as an outbound message of the conversation, once. The echo of a
 * message that went out through Tidings is not a second one: it is known by its key; where its answer is still awaited or
 * was lost, the echo settles it; and what came in over the provider's API otherwise is kept as a status only.
 */
export async function receiveOwnMessage(ctx: Ctx, connectionId: string, event: OwnMessageEvent): Promise<void> {
  const { phone, userId, name } = event.to;
  const person = namesOf(event.to);
  const address = phone ?? userId;
  if (address === null) throw new Error("A message of ours names nobody.");
  const at = arrivalOf(ctx, event.at);
  const contactId = ctx.newId("ct");
  const match = seqOfPerson(ctx, connectionId, person, at);
  const seq = contactSeqOf(match, contactId);
  const isNew = repository.isNew(ctx, connectionId, event.providerKey);
  const { body, providerMessageId, providerKey } = event;
  const id = ctx.newId("msg", at);
  const message = { id, connectionId, contactSeq: seq, address, body, providerMessageId, providerKey, at };
  const keys = JSON.stringify([{ connectionId, providerKey }]);
  const adopted = event.viaApi === false ? [] : adoptedBy(ctx, message, isNew);
  if (event.viaApi === true) {
    const status: StatusEvent = { ...event, type: "status", messageId: null, status: "sent", at, error: null };
    const early = keepOneEarly(progressOf(status, { workspace: ctx.workspace, connectionId }), ctx.now());
    return asOnePerson(ctx, connectionId, person, () =>
      storeWithRevisions(ctx, event, connectionId, [
        refuseSeveral(ctx, connectionId, person, isNew),
        ...adopted,
        early,
        ...mergeEarly(ctx, keys),
      ]),
    );
  }
  const contact = { id: contactId, phone, phoneKey: phone === null ? null : phoneKey(phone), name, source: "inbound" };
  const statements = [
    refuseSeveral(ctx, connectionId, person, isNew),
    ...attachPhone(ctx, connectionId, person, isNew),
    ...adopted,
    insertContact(ctx, contact, nextSeq(ctx), both(isUnknown(match), isNew)),
    welcomeBack(ctx, seq, name, isNew),
    ...insertIdentities(ctx, connectionId, person, seq, isNew),
    repository.insertOwn(ctx, message, isNew),
    noteOutbound(ctx, ctx.newId("cnv"), id),
    ...mergeEarly(ctx, keys),
  ];
  await asOnePerson(ctx, connectionId, person, () => storeWithRevisions(ctx, event, connectionId, statements));
}

/** The changes of the message that came before it are applied once it is there. */
async function storeWithRevisions(
  ctx: Ctx,
  { providerKey }: OwnMessageEvent,
  connectionId: string,
  statements: SQL[],
): Promise<void> {
  const waiting = await store(ctx, [...statements, waitingFor(connectionId, providerKey)]);
  if (waiting.length > 0) await applyTo(ctx, connectionId, providerKey);
}

const adoptedBy = (ctx: Ctx, message: repository.OwnMessage, isNew: ReturnType<typeof repository.isNew>) =>
  repository.adoptEcho(ctx, message, ctx.newId("msg", ctx.now() - ON_ITS_WAY_MS), isNew);
