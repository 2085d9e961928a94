// Moves authorship to the user that another user was merged into. Scans notes and messages from the newest on: an index of authors
// would cost each message a row. Raw, because both tables share the statements.
import { sql } from "drizzle-orm";
import * as z from "zod";
import { type SQL, statement, type Statement } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";

export interface AuthorMove {
  fromId: string;
  intoId: string;
}

/** A slice of a table: the newest rows with ids before `before`. */
export interface TablePart {
  table: "notes" | "messages";
  before: string;
  limit: number;
}

const prefixes = { notes: "note", messages: "msg" } as const;

/** The characters after an id's prefix that encode its time. */
const timeOf = (id: string): string => id.slice(id.indexOf("_") + 1).slice(0, 10);

/** Ids sort by time, and nobody wrote before their user existed. */
const idsOf = ({ fromId }: AuthorMove, { table, before, limit }: TablePart): SQL => sql`
  SELECT id FROM ${sql.identifier(table)} WHERE id < ${before} AND id >= ${`${prefixes[table]}_${timeOf(fromId)}`}
  ORDER BY id DESC LIMIT ${limit}`;

export const moveAuthor = (ctx: Ctx, move: AuthorMove, part: TablePart): SQL => sql`
  UPDATE ${sql.identifier(part.table)} SET author_id = ${move.intoId}
  WHERE id IN (${idsOf(move, part)}) AND workspace_id = ${ctx.workspace.id} AND author_id = ${move.fromId}`;

/** Ids are quoted in the JSON list of mentions. */
export const moveMentions = (ctx: Ctx, move: AuthorMove, part: TablePart): SQL => sql`
  UPDATE notes SET mentions = replace(mentions, ${JSON.stringify(move.fromId)}, ${JSON.stringify(move.intoId)})
  WHERE id IN (${idsOf(move, part)}) AND workspace_id = ${ctx.workspace.id}
    AND instr(mentions, ${JSON.stringify(move.fromId)}) > 0`;

export const moveUnseenMentions = (ctx: Ctx, { fromId, intoId }: AuthorMove): SQL => sql`
  UPDATE OR REPLACE unseen_mentions SET member_id = ${intoId}
  WHERE workspace_id = ${ctx.workspace.id} AND member_id = ${fromId}`;

const partEnd = z.object({ before: z.string() });

/** The id that the next slice ends before; empty after the last slice. */
export const selectPartEnd = (move: AuthorMove, part: TablePart): Statement<z.infer<typeof partEnd>> =>
  statement(partEnd, sql`SELECT coalesce(min(id), '') AS before FROM (${idsOf(move, part)})`);
