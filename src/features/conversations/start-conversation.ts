import * as z from "zod";
import { requireSendingConnection } from "../../shared/actor.ts";
import type { Ctx } from "../../shared/context.ts";
import { AppError } from "../../shared/errors.ts";
import { contactNotFound } from "../contacts/contacts.service.ts";
import { commitOnce } from "../idempotency/idempotency.service.ts";
import { type ConversationRecord, conversationRecord } from "./conversations.schemas.ts";
import { insertConversation, selectReachability, startedConversationAsJson } from "./start-conversation.sql.ts";

const started = z.object({ conversation: conversationRecord, created: z.number() });

/**
 * The conversation with a contact on the connection that the caller sends through, which is made where there is none. Throws
 * `not_found`, `unreachable` and, for a member who chose no connection, `forbidden`.
 */
export async function startConversation(
  ctx: Ctx,
  contactId: string,
): Promise<{ conversation: ConversationRecord; created: boolean }> {
  const connectionId = requireSendingConnection(ctx);
  const id = ctx.newId("cnv");
  const target = { contactId, connectionId };
  const { result, facts } = await commitOnce(ctx, {
    effects: (guard) => insertConversation(ctx, id, target, guard),
    result: startedConversationAsJson(ctx, id, target),
    shape: started,
    facts: selectReachability(ctx, target),
  });
  if (result !== null) return { conversation: result.conversation, created: result.created === 1 };
  if (facts.length === 0) throw await contactNotFound(ctx, contactId);
  throw new AppError("unreachable", "This contact has no address on this connection.", { contact_id: contactId });
}
