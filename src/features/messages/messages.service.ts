import type { Ctx } from "../../shared/context.ts";
import { notFound } from "../../shared/errors.ts";
import { missingConversation } from "../conversations/conversations.service.ts";
import * as repository from "./messages.sql.ts";

/** Throws `not_found`. */
export async function getMessage(ctx: Ctx, id: string): Promise<repository.MessageRecord> {
  const record = await repository.find(ctx, id);
  if (record === null) throw notFound("message");
  return record;
}

/** Messages of a conversation, newest first, one beyond `limit` where there are more. */
export async function listHistory(
  ctx: Ctx,
  conversationId: string,
  limit: number,
  before: string | undefined,
): Promise<repository.HistoryRecord[]> {
  const rows = await repository.history(ctx, conversationId, limit, before);
  if (rows === null) throw await missingConversation(ctx, conversationId);
  return rows;
}
