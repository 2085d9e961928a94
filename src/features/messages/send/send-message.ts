import * as z from "zod";
import { type SQL, statement } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { DAY_MS } from "../../../shared/durations.ts";
import { AppError } from "../../../shared/errors.ts";
import { phoneKey } from "../../../shared/phone.ts";
import { insertContact, nextSeq, welcomeBack } from "../../contacts/contacts.sql.ts";
import { missingConversation } from "../../conversations/conversations.service.ts";
import { noteOutbound } from "../../conversations/conversations.sql.ts";
import { commitOnce } from "../../idempotency/idempotency.service.ts";
import { deliverConversation } from "../deliver/deliver-thread.ts";
import * as repository from "./send-message.sql.ts";

export const accepted = z.object({
  message_id: z.string(),
  contact_id: z.string(),
  conversation_id: z.string(),
  contact_seq: z.number(),
  connection_id: z.string(),
});

export const judgement = z.object({
  refusal: repository.refusalName.nullable(),
  contact_id: z.string().nullable(),
  connection_status: z.string().nullable(),
  last_inbound_at: z.number().nullable(),
});

export type Accepted = z.infer<typeof accepted>;

/** Until when free text may go on an official connection to somebody who wrote last at that time; ms since the epoch. */
export const windowEnd = (lastInboundAt: number): number => lastInboundAt + DAY_MS;

const iso = (at: number | null) => (at === null ? null : new Date(at).toISOString());

/** Why a message does not go now, in words. Throws where nothing speaks against it. */
export function refuse({
  refusal,
  contact_id,
  connection_status,
  last_inbound_at,
}: z.infer<typeof judgement>): AppError {
  switch (refusal) {
    case "connection_inactive":
      return new AppError("invalid_state", "The connection cannot send now. Check it with a connection test.", {
        status: connection_status ?? "deleted",
      });
    case "no_address":
      return new AppError("invalid_state", "This contact has neither a number nor an id on this connection.", {
        status: "unreachable",
      });
    case "unsubscribed":
      return new AppError("unsubscribed", "This person has unsubscribed.", { contact_id });
    case "marketing_opt_out":
      return new AppError(
        "unsubscribed",
        "This person turned marketing messages off. Replies and templates of other categories still reach them.",
        { contact_id, reason: "marketing_opt_out" },
      );
    case "window_closed":
      return new AppError(
        "window_closed",
        "More than 24 hours have passed since this person last wrote. Send a template.",
        {
          last_inbound_at: iso(last_inbound_at),
          expired_at: iso(last_inbound_at === null ? null : windowEnd(last_inbound_at)),
        },
      );
    case null:
      throw new Error("A message that nothing speaks against was not queued.");
  }
}

interface Draft {
  id: string;
  /** Where it is an answer in one. */
  conversationId?: string;
  content: repository.Content;
  target: repository.Target;
  /** Makes the person's contact, where there may be none yet. */
  addContact?: SQL;
}

/** Queues a message in one batch and has it delivered right after the answer. */
async function accept(ctx: Ctx, { id, conversationId, content, target, addContact }: Draft): Promise<Accepted> {
  const { result, replayed, facts } = await commitOnce(ctx, {
    // What follows the message finds nothing to do where the message was not queued.
    effects: (guard) => [
      repository.insertMessage(ctx, id, content, target, nextSeq(ctx), guard),
      ...(addContact === undefined ? [] : [addContact]),
      welcomeBack(ctx, repository.seqOf(id), null, repository.isQueued(id)),
      noteOutbound(ctx, ctx.newId("cnv"), id),
    ],
    result: repository.acceptedAsJson(id),
    shape: accepted,
    facts: statement(judgement, repository.judgement(ctx, target, content)),
  });
  if (result === null) {
    const [fact] = facts;
    throw fact === undefined ? await missingConversation(ctx, conversationId ?? "") : refuse(fact);
  }
  if (!replayed) {
    ctx.waitUntil(deliverConversation(ctx, { contactSeq: result.contact_seq, connectionId: result.connection_id }));
  }
  return result;
}

/** The connection that the caller's key sends through, or that the member has chosen. */
export function ownConnection({ actor }: Ctx): string {
  if (actor.type === "api_key") return actor.connectionId;
  if (actor.type === "member" && actor.connectionId !== null) return actor.connectionId;
  throw new AppError("forbidden", "Choose a connection to send through.");
}

/**
 * Sends to a number (E.164) through the key's connection; makes the contact and the conversation where needed.
 * Throws `invalid_state`, `unsubscribed`, and for free text `window_closed`.
 */
export function sendTo(ctx: Ctx, to: string, content: repository.Content): Promise<Accepted> {
  const connectionId = ownConnection(ctx);
  const id = ctx.newId("msg");
  const key = phoneKey(to);
  const contact = { id: ctx.newId("ct"), phone: to, phoneKey: key, name: null, source: "api" };
  return accept(ctx, {
    id,
    content,
    target: repository.targetByPhone(ctx, connectionId, to, key),
    addContact: insertContact(ctx, contact, repository.seqOf(id), repository.lacksContact(id)),
  });
}

/** Answers in a conversation, through its connection. Throws `not_found` besides what `sendTo` throws. */
export function replyInConversation(ctx: Ctx, conversationId: string, content: repository.Content): Promise<Accepted> {
  const target = repository.targetByConversation(ctx, conversationId);
  return accept(ctx, { id: ctx.newId("msg"), conversationId, content, target });
}
