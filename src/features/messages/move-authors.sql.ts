// What one user wrote becomes another's, once the two are one person. Neither notes nor messages have an index of authors, which would
// cost every message a row, so they are looked through from the newest on.
// Raw, because the statements are the same for two tables.
import { sql } from "drizzle-orm";
import * as z from "zod";
import { type SQL, statement, type Statement } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";

export interface AuthorMove {
  fromId: string;
  intoId: string;
}

/** A part of a table: the newest rows whose ids come before `before`. */
export interface TablePart {
  table: "notes" | "messages";
  before: string;
  limit: number;
}

const prefixes = { notes: "note", messages: "msg" } as const;

/** The characters of an id behind its prefix that tell its time. */
const timeOf = (id: string): string => id.slice(id.indexOf("_") + 1).slice(0, 10);

/** Ids sort by time, and nobody wrote before they were a user. */
const idsOf = ({ fromId }: AuthorMove, { table, before, limit }: TablePart): SQL => sql`
  SELECT id FROM ${sql.identifier(table)} WHERE id < ${before} AND id >= ${`${prefixes[table]}_${timeOf(fromId)}`}
  ORDER BY id DESC LIMIT ${limit}`;

export const moveAuthor = (ctx: Ctx, move: AuthorMove, part: TablePart): SQL => sql`
  UPDATE ${sql.identifier(part.table)} SET author_id = ${move.intoId}
  WHERE id IN (${idsOf(move, part)}) AND workspace_id = ${ctx.workspace.id} AND author_id = ${move.fromId}`;

/** Ids stand in quotes in the list of mentions. */
export const moveMentions = (ctx: Ctx, move: AuthorMove, part: TablePart): SQL => sql`
  UPDATE notes SET mentions = replace(mentions, ${JSON.stringify(move.fromId)}, ${JSON.stringify(move.intoId)})
  WHERE id IN (${idsOf(move, part)}) AND workspace_id = ${ctx.workspace.id}
    AND instr(mentions, ${JSON.stringify(move.fromId)}) > 0`;

export const moveUnseenMentions = (ctx: Ctx, { fromId, intoId }: AuthorMove): SQL => sql`
  UPDATE OR REPLACE unseen_mentions SET member_id = ${intoId}
  WHERE workspace_id = ${ctx.workspace.id} AND member_id = ${fromId}`;

const partEnd = z.object({ before: z.string() });

/** The id that the next part comes before; empty behind the last one. */
export const selectPartEnd = (move: AuthorMove, part: TablePart): Statement<z.infer<typeof partEnd>> =>
  statement(partEnd, sql`SELECT coalesce(min(id), '') AS before FROM (${idsOf(move, part)})`);
