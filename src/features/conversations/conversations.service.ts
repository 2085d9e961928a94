import { fetchRow, fetchRows, transact } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { type AppError, invalid, merged, notFound } from "../../shared/errors.ts";
import { prepareOnce } from "../idempotency/idempotency.service.ts";
import { type ConversationRecord, conversationRecord } from "./conversations.schemas.ts";
import {
  conversationAsJson,
  clearUnreadCount,
  selectConversation,
  selectConversationsByMessage,
} from "./conversations.sql.ts";
import { type ConversationFilter, selectConversations } from "./list-conversations.sql.ts";
import { findMergedConversation } from "./merge-conversations.sql.ts";
import { searchedWords, selectMatches } from "./search-messages.sql.ts";
import { selectUnread } from "./tell-read.sql.ts";
import { tellRead } from "./tell-read.ts";

/** The member that `assignee` of a list names: `me`, `none` or an id. Throws `validation_failed` where `me` is nobody. */
export function readAssignee({ actor }: Ctx, assignee: string | undefined): string | null | undefined {
  if (assignee === "none") return null;
  if (assignee !== "me") return assignee;
  if (actor.type === "member") return actor.userId;
  const message = "An API key has no conversations assigned to it. Name a member by id, or `none`.";
  throw invalid({ path: "query.assignee", code: "invalid_value", message });
}

/** Latest first, one beyond `limit` where there are more. */
export const listConversations = (ctx: Ctx, filter: ConversationFilter): Promise<ConversationRecord[]> =>
  fetchRows(ctx.db, selectConversations(ctx, filter));

/** The newest message with the words of a search, by the id of its conversation. */
export async function findMatches(ctx: Ctx, search: string): Promise<ReadonlyMap<string, string>> {
  const words = searchedWords(search);
  if (words.length === 0) return new Map();
  const rows = await fetchRows(ctx.db, selectMatches(ctx, words));
  return new Map(rows.map(({ conversation_id, body }) => [conversation_id, body]));
}

/** The error for the id of a conversation that does not exist, or was merged into another. */
export async function conversationNotFound(ctx: Ctx, id: string): Promise<AppError> {
  const intoId = await findMergedConversation(ctx, id);
  return intoId === undefined ? notFound("conversation") : merged("conversation", intoId);
}

/** Throws `not_found`. */
export async function getConversation(ctx: Ctx, id: string): Promise<ConversationRecord> {
  const row = await fetchRow(ctx.db, selectConversation(ctx, id));
  if (row === undefined) throw await conversationNotFound(ctx, id);
  return row.result;
}

/** Sets the unread count to 0; inbound messages of the conversation show as `read`. Tells the provider where `tellsProvider`. */
export async function markConversationRead(ctx: Ctx, id: string, tellsProvider: boolean): Promise<ConversationRecord> {
  const { entries, read } = prepareOnce(ctx, {
    effects: (guard) => clearUnreadCount(ctx, id, guard),
    result: conversationAsJson(ctx, id),
    shape: conversationRecord,
  });
  const { unread, ...rows } = await transact(ctx.db, { unread: selectUnread(ctx, id), ...entries });
  const { result, replayed } = read(rows);
  if (result === null) throw await conversationNotFound(ctx, id);
  if (tellsProvider && !replayed) tellRead(ctx, unread);
  return result;
}

/** The ids of the conversations that messages belong to, by the messages' ids; messages without one are left out. */
export async function findConversationIds(ctx: Ctx, messageIds: string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await fetchRows(ctx.db, selectConversationsByMessage(ctx, messageIds));
  return new Map(rows.map(({ message_id, conversation_id }) => [message_id, conversation_id]));
}
