import { sql } from "drizzle-orm";
import { fetchRow, fetchRows, statement, transact } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { type AppError, invalid, merged, notFound } from "../../shared/errors.ts";
import { columns } from "../../db/columns.ts";
import { contacts, conversations } from "../../db/schema/index.ts";
import { prepareOnce } from "../commits/commit-once.ts";
import {
  type ConversationPosition,
  type ConversationRecord,
  conversationRecord,
  listedConversation,
} from "./conversations.schemas.ts";
import {
  clearUnreadCount,
  conversationAsJson,
  conversationColumns,
  findMergedConversation,
  selectConversation,
  selectConversationsByMessage,
} from "./conversations.sql.ts";
import { type ConversationFilter, selectConversations } from "./search/list-conversations.sql.ts";
import { type ConversationSearch, selectFoundConversations } from "./search/search-conversations.sql.ts";
import { type MatchingMessage, searchedWords, selectMatches } from "./search/search-messages.sql.ts";
import { selectNewestUnread, sendReadReceipts } from "./send-read-receipts.ts";

function readAssignee({ actor }: Ctx, assignee: string | undefined): string | null | undefined {
  if (assignee === "none") return null;
  if (assignee !== "me") return assignee;
  if (actor.type === "member") return actor.userId;
  const message = "An API key has no assigned conversations. Send the id of a member, or `none`.";
  throw invalid({ path: "query.assignee", code: "invalid_value", message });
}

const latestFirst = (a: ConversationRecord, b: ConversationRecord): number =>
  b.last_message_at - a.last_message_at || (a.id < b.id ? 1 : -1);

/** Ends the cursor of a search for a common text, so that the next pages need not count its matches again. */
const COMMON_TEXT = "~";

/**
 * A position directly before the id, because no id contains `~`. An earlier version, which does not know this mark,
 * therefore continues at the same conversation.
 */
const markAsCommon = ([at, id]: ConversationPosition): ConversationPosition => [
  at,
  id.slice(0, -1) + String.fromCharCode(id.charCodeAt(id.length - 1) - 1) + COMMON_TEXT,
];

interface ConversationListInput extends Omit<ConversationFilter, "assigneeId" | "after"> {
  assignee?: string | undefined;
  search?: ConversationSearch["search"] | undefined;
  after: ConversationPosition | undefined;
}

/**
 * A search examines a limited number of conversations for each page, so a page can be short although more results
 * exist.
 */
export async function listConversations(
  ctx: Ctx,
  { search, assignee, ...rest }: ConversationListInput,
): Promise<{ conversations: ConversationRecord[]; next: ConversationPosition | null }> {
  const filter = { ...rest, assigneeId: readAssignee(ctx, assignee) };
  const { rows, examinedTo, isCommon } =
    search === undefined
      ? { rows: await fetchRows(ctx.db, selectConversations(ctx, filter)), examinedTo: null, isCommon: false }
      : await searchConversations(ctx, {
          ...filter,
          search,
          isCommon: filter.after?.[1].endsWith(COMMON_TEXT) ?? false,
        });
  const page = rows.toSorted(latestFirst).slice(0, filter.limit);
  const last = page.at(-1);
  const isMore = rows.length > filter.limit && last !== undefined;
  const position = isMore ? ([last.last_message_at, last.id] as const) : examinedTo;
  return { conversations: page, next: position !== null && isCommon ? markAsCommon(position) : position };
}

async function searchConversations(ctx: Ctx, search: ConversationSearch) {
  const row = await fetchRow(ctx.db, selectFoundConversations(ctx, search));
  if (row === undefined) throw new Error("A search returns one row.");
  const { conversations: rows, examined_to: examinedTo, is_common: isCommon } = row.result;
  return { rows, examinedTo, isCommon: isCommon === 1 };
}

export async function findMatches(ctx: Ctx, search: string): Promise<ReadonlyMap<string, MatchingMessage>> {
  const words = searchedWords(search);
  if (words.length === 0) return new Map();
  const rows = await fetchRows(ctx.db, selectMatches(ctx, words));
  return new Map(rows.map((row) => [row.conversation_id, row]));
}

export async function conversationNotFound(ctx: Ctx, id: string): Promise<AppError> {
  const intoId = await findMergedConversation(ctx, id);
  return intoId === undefined ? notFound("conversation") : merged("conversation", intoId);
}

export async function getConversation(ctx: Ctx, id: string): Promise<ConversationRecord> {
  const row = await fetchRow(ctx.db, selectConversation(ctx, id));
  if (row === undefined) throw await conversationNotFound(ctx, id);
  return row.result;
}

/** With `sendsReceipt`, the provider also shows the person that their messages were read. */
export async function markConversationRead(ctx: Ctx, id: string, sendsReceipt: boolean): Promise<ConversationRecord> {
  const { entries, read } = prepareOnce(ctx, {
    effects: (guard) => clearUnreadCount(ctx, id, guard),
    result: conversationAsJson(ctx, id),
    shape: conversationRecord,
  });
  const { unread, ...rows } = await transact(ctx.db, { unread: selectNewestUnread(ctx, id), ...entries });
  const { result, replayed } = read(rows);
  if (result === null) throw await conversationNotFound(ctx, id);
  if (sendsReceipt && !replayed) sendReadReceipts(ctx, unread);
  return result;
}

export async function findConversationIds(ctx: Ctx, messageIds: string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await fetchRows(ctx.db, selectConversationsByMessage(ctx, messageIds));
  return new Map(rows.map(({ message_id, conversation_id }) => [message_id, conversation_id]));
}

const c = columns(contacts, "c");
const v = columns(conversations, "v");

/** Raw SQL, because `conversationColumns` is SQL that all lists share. */
const selectConversationsByIds = (ctx: Ctx, ids: readonly string[]) =>
  statement(
    listedConversation,
    sql`
      SELECT ${conversationColumns(ctx)} FROM json_each(${JSON.stringify(ids)}) e
      CROSS JOIN conversations v ON ${v.id} = e.value AND ${v.workspaceId} = ${ctx.workspace.id}
      CROSS JOIN contacts c ON ${c.seq} = ${v.contactSeq}`,
  );

export const findConversations = (ctx: Ctx, ids: readonly string[]): Promise<ConversationRecord[]> =>
  fetchRows(ctx.db, selectConversationsByIds(ctx, [...new Set(ids)]));
