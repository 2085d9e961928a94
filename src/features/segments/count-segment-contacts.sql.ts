import { sql } from "drizzle-orm";
import * as z from "zod";
import { type SQL, statement, type Statement } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { isNumberedWithin, newestContactNumber } from "../contacts/contacts.sql.ts";

const countRow = z.object({ count: z.number(), given: z.number() });

/**
 * One row: how many active contacts with numbers behind `from`, up to `to`, `condition` (over `c`) holds for, and the number of
 * the newest contact.
 */
export const selectCountWithin = (
  ctx: Ctx,
  condition: SQL,
  from: number,
  to: number,
): Statement<z.infer<typeof countRow>> =>
  statement(
    countRow,
    sql`
      SELECT count(*) AS count, ${newestContactNumber(ctx)} AS given FROM contacts c
      WHERE ${isNumberedWithin(ctx, from, to)} AND c.archived_at IS NULL AND ${condition}`,
  );
