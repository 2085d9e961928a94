import { sql } from "drizzle-orm";
import * as z from "zod";
import { type SQL, statement, type Statement } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";

/** The folded name and the `seq` of a contact. Those without a name have a text that sorts behind all names. */
export type NamePosition = [name: string, seq: number];

export interface NameRange {
  limit: number;
  /** Continue behind this position. */
  after: NamePosition | undefined;
  isDescending: boolean;
}

/** The expression of the index `contacts_by_name`, to the letter. */
const foldedName = sql`CASE WHEN folded ->> '$.name' IS NULL THEN char(1114111) ELSE folded ->> '$.name' END`;

/** Active contacts in the order of their names: `seq` and `name_key`. */
export function contactsByName(ctx: Ctx, { limit, after, isDescending }: NameRange): SQL {
  const direction = isDescending ? sql`DESC` : sql`ASC`;
  const bySeq = sql`ORDER BY seq ${direction} LIMIT ${limit}`;
  const byName = sql`ORDER BY name_key ${direction}, seq ${direction} LIMIT ${limit}`;
  const from = (condition: SQL, order: SQL) => sql`
    SELECT * FROM (SELECT seq, ${foldedName} AS name_key FROM contacts
      WHERE workspace_id = ${ctx.workspace.id} AND archived_at IS NULL AND ${condition} ${order})`;
  if (after === undefined) return from(sql`TRUE`, byName);
  const [name, seq] = after;
  const behind = isDescending ? sql`<` : sql`>`;
  // Two ranges of the index: a comparison of pairs would read all contacts of one name, and so would sorting those by name.
  return sql`
    ${from(sql`${foldedName} = ${name} AND seq ${behind} ${seq}`, bySeq)}
    UNION ALL ${from(sql`${foldedName} ${behind} ${name}`, byName)} ${byName}`;
}

const placeRow = z.object({ seq: z.number(), name_key: z.string() });

/** The same as rows, in order. */
export const selectPlacesByName = (ctx: Ctx, range: NameRange): Statement<z.infer<typeof placeRow>> =>
  statement(placeRow, contactsByName(ctx, range));
