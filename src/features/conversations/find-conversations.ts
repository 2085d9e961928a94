import { fetchRows } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import type { ConversationRecord } from "./conversations.schemas.ts";
import { selectConversationsByIds } from "./find-conversations.sql.ts";

/** The conversations with these ids, each once, in any order; those that are not there are left out. */
export const findConversations = (ctx: Ctx, ids: readonly string[]): Promise<ConversationRecord[]> =>
  fetchRows(ctx.db, selectConversationsByIds(ctx, [...new Set(ids)]));
