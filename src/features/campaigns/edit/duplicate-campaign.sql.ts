import { sql } from "drizzle-orm";
import * as z from "zod";
import { type SQL, statement, type Statement } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";

/** A workspace with more campaigns may be given a name twice. */
const MAX_NAMES = 1000;

const named = z.object({ name: z.string() });

const recentNames = (ctx: Ctx): SQL =>
  sql`SELECT name FROM campaigns WHERE workspace_id = ${ctx.workspace.id} ORDER BY id DESC LIMIT ${MAX_NAMES}`;

/** Names of campaigns that are copies, or called like copies. */
export const selectNamesOfCopies = (ctx: Ctx): Statement<z.infer<typeof named>> =>
  statement(named, sql`SELECT name FROM (${recentNames(ctx)}) WHERE instr(name, ' (copy') > 0`);

/** True in SQL where no campaign has this name. */
export const isNameFree = (ctx: Ctx, name: string): SQL =>
  sql`NOT EXISTS (SELECT 1 FROM (${recentNames(ctx)}) WHERE name = ${name})`;
