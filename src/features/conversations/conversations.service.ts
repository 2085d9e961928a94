import * as z from "zod";
import type { SQL } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { type AppError, merged, notFound } from "../../shared/errors.ts";
import { commitOnce } from "../idempotency/idempotency.service.ts";
import * as repository from "./conversations.sql.ts";
import { type ConversationRecord, conversationRecord } from "./conversations.schemas.ts";
import { intoConversation } from "./join-conversations.sql.ts";

/** Latest first, one beyond `limit` where there are more. */
export async function listConversations(ctx: Ctx, filter: repository.Filter): Promise<ConversationRecord[]> {
  return z.array(conversationRecord).parse(await repository.list(ctx, filter));
}

const openCounts = z.object({ open: z.number(), unread: z.number() });

/** How many conversations are open, and how many of those hold something unread; neither is counted beyond `most`. */
export async function countOpenConversations(ctx: Ctx, most: number): Promise<z.infer<typeof openCounts>> {
  return openCounts.parse(await repository.countOpen(ctx, most));
}

/** The conversations with one contact, through whichever connection, latest first. */
export async function listContactConversations(
  ctx: Ctx,
  contactId: string,
  limit: number,
): Promise<ConversationRecord[]> {
  return z.array(conversationRecord).parse(await repository.listOfContact(ctx, contactId, limit));
}

const ids = z.array(z.object({ id: z.string() }));

/** The refusal of a conversation's id that is not there, or not any more. */
export async function missingConversation(ctx: Ctx, id: string): Promise<AppError> {
  const [into] = ids.parse(await ctx.db.all(intoConversation(ctx, id)));
  return into === undefined ? notFound("conversation") : merged("conversation", into.id);
}

/** Throws `not_found`. */
export async function getConversation(ctx: Ctx, id: string): Promise<ConversationRecord> {
  const row = await repository.find(ctx, id);
  if (row === undefined) throw await missingConversation(ctx, id);
  return conversationRecord.parse(row);
}

async function change(ctx: Ctx, id: string, effect: (guard: SQL) => SQL): Promise<ConversationRecord> {
  const { result } = await commitOnce(ctx, {
    effects: (guard) => [effect(guard)],
    result: repository.conversationAsJson(ctx, id),
    shape: conversationRecord,
  });
  if (result === null) throw await missingConversation(ctx, id);
  return result;
}

export const setConversationStatus = (ctx: Ctx, id: string, status: "open" | "done"): Promise<ConversationRecord> =>
  change(ctx, id, (guard) => repository.setStatus(ctx, id, status, guard));

/** Nothing in it is unread any more; its inbound messages show as `read`. */
export const markConversationRead = (ctx: Ctx, id: string): Promise<ConversationRecord> =>
  change(ctx, id, (guard) => repository.markRead(ctx, id, guard));

const threads = z.array(z.object({ message_id: z.string(), conversation_id: z.string() }));

/** The conversations that messages belong to, by the messages' ids; those without one are left out. */
export async function conversationsOf(ctx: Ctx, messageIds: string[]): Promise<ReadonlyMap<string, string>> {
  const rows = threads.parse(await repository.ofMessages(ctx, messageIds));
  return new Map(rows.map(({ message_id, conversation_id }) => [message_id, conversation_id]));
}
