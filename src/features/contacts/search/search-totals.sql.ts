import { sql } from "drizzle-orm";
import * as z from "zod";
import { statement, type Statement } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { type ContactSpan, newestContactNumber } from "../contacts.sql.ts";
import { type ContactFilter, indexHits } from "./search-contacts.sql.ts";

const hitCount = z.object({ count: z.number() });
const newestHitCount = hitCount.extend({ newest: z.number() });

export type NewestHitCount = z.infer<typeof newestHitCount>;

/** Counts the contacts of a span that pass a filter. */
export const selectHitCount = (
  ctx: Ctx,
  filter: ContactFilter,
  span: ContactSpan,
): Statement<z.infer<typeof hitCount>> =>
  statement(hitCount, sql`SELECT count(*) AS count FROM ${indexHits(ctx, filter, span)}`);

/** Counts how many of the workspace's newest contacts pass a filter. Also returns the number of the newest contact. */
export const selectNewestHitCount = (ctx: Ctx, filter: ContactFilter, size: number): Statement<NewestHitCount> =>
  statement(
    newestHitCount,
    sql`
      SELECT count(*) AS count, ${newestContactNumber(ctx)} AS newest
      FROM ${indexHits(ctx, filter, { high: null, from: 0, to: size })}`,
  );
