// When two users merge, the remaining user becomes the author of the other user's notes and messages. A scan finds
// them, newest first, because with an index by author each new message would write one more row.
import { and, desc, eq, gte, inArray, lt, sql, type SQL } from "drizzle-orm";
import { messages, notes } from "../../db/schema/index.ts";
import type { Ctx } from "../../shared/context.ts";

export interface AuthorMove {
  fromId: string;
  intoId: string;
}

export interface TablePart {
  table: "notes" | "messages";
  before: string;
  limit: number;
}

const tables = { notes: { table: notes, prefix: "note" }, messages: { table: messages, prefix: "msg" } };

/** The ten characters after the prefix of an id encode the time of the id. */
const timeOf = (id: string): string => id.slice(id.indexOf("_") + 1).slice(0, 10);

/** Skips ids that are older than the user's id, because the user cannot have written those messages and notes. */
function selectPart(ctx: Ctx, { fromId }: AuthorMove, { table: name, before, limit }: TablePart) {
  const { table, prefix } = tables[name];
  return ctx.db
    .select({ id: table.id })
    .from(table)
    .where(and(lt(table.id, before), gte(table.id, `${prefix}_${timeOf(fromId)}`)))
    .orderBy(desc(table.id))
    .limit(limit);
}

export function moveAuthor(ctx: Ctx, move: AuthorMove, part: TablePart) {
  const { table } = tables[part.table];
  return ctx.db
    .update(table)
    .set({ authorId: move.intoId })
    .where(
      and(
        inArray(table.id, selectPart(ctx, move, part)),
        eq(table.workspaceId, ctx.workspace.id),
        eq(table.authorId, move.fromId),
      ),
    );
}

export function moveMentions(ctx: Ctx, move: AuthorMove, part: TablePart) {
  const [from, into] = [JSON.stringify(move.fromId), JSON.stringify(move.intoId)];
  return ctx.db
    .update(notes)
    .set({ mentions: sql`replace(${notes.mentions}, ${from}, ${into})` })
    .where(
      and(
        inArray(notes.id, selectPart(ctx, move, part)),
        eq(notes.workspaceId, ctx.workspace.id),
        sql`instr(${notes.mentions}, ${from}) > 0`,
      ),
    );
}

/** Raw SQL, because the query builder does not support UPDATE OR REPLACE. */
export const moveUnseenMentions = (ctx: Ctx, { fromId, intoId }: AuthorMove): SQL => sql`
  UPDATE OR REPLACE unseen_mentions SET member_id = ${intoId}
  WHERE workspace_id = ${ctx.workspace.id} AND member_id = ${fromId}`;

export const selectPartEnd = (ctx: Ctx, move: AuthorMove, part: TablePart) =>
  ctx.db.select({ before: sql<string>`coalesce(min(id), '')` }).from(selectPart(ctx, move, part).as("part"));
