// Moves authorship to the user that another user was merged into. Scans notes and messages from the newest on, because an index
// of authors would cost one row write per message.
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

/** The characters of an id that encode its time; they follow the prefix. */
const timeOf = (id: string): string => id.slice(id.indexOf("_") + 1).slice(0, 10);

/** Scans only ids later than the user's id: ids sort by time, and nobody wrote before their user existed. */
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

/** Replaces the quoted id in the JSON list of mentions. */
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

/** Raw SQL, because the builder has no UPDATE OR REPLACE. */
export const moveUnseenMentions = (ctx: Ctx, { fromId, intoId }: AuthorMove): SQL => sql`
  UPDATE OR REPLACE unseen_mentions SET member_id = ${intoId}
  WHERE workspace_id = ${ctx.workspace.id} AND member_id = ${fromId}`;

/** Selects the id that the next slice ends before. Empty after the last slice. */
export const selectPartEnd = (ctx: Ctx, move: AuthorMove, part: TablePart) =>
  ctx.db.select({ before: sql<string>`coalesce(min(id), '')` }).from(selectPart(ctx, move, part).as("part"));
