import { sql } from "drizzle-orm";
import * as z from "zod";
import { type SQL, statement, type Statement } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { type ContactPageRow, selectContactPage } from "../contacts/contact-page.sql.ts";
import { baseSeq, type ContactSpan, newestContactNumber } from "../contacts/contacts.sql.ts";

/** A page of the active contacts of a span that `condition` (over `c`) holds for, newest first, at most `limit`. */
export function selectSegmentPage(
  ctx: Ctx,
  condition: SQL,
  { high, from, to }: ContactSpan,
  limit: number,
): Statement<ContactPageRow> {
  const base = baseSeq(ctx);
  const last = high === null ? newestContactNumber(ctx) : sql`${high}`;
  const hits = sql`
    SELECT c.seq AS seq FROM contacts c
    WHERE c.seq > ${base} + max(0, ${last} - ${to}) AND c.seq <= ${base} + ${last} - ${from}
      AND c.archived_at IS NULL AND ${condition}
    ORDER BY c.seq DESC LIMIT ${limit}`;
  return selectContactPage(ctx, hits, limit);
}

const newestRow = z.object({ newest: z.number() });

/** One row: the number of the workspace's newest contact. */
export const selectNewestNumber = (ctx: Ctx): Statement<z.infer<typeof newestRow>> =>
  statement(newestRow, sql`SELECT ${newestContactNumber(ctx)} AS newest`);
