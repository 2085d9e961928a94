// Totals of searches, from the search index. Raw SQL, because the builder has no FTS5.
import { sql } from "drizzle-orm";
import * as z from "zod";
import { statement, transact } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { type ContactSpan, newestContactNumber } from "../contacts.sql.ts";
import { type ContactFilter, indexHits } from "./search-contacts.sql.ts";
import { answerInTurn, scanAll } from "../../scans/scans.service.ts";
import { INDEX_SLICES } from "../../scans/scans.slices.ts";

const hitCount = z.object({ count: z.number() });
const newestHitCount = hitCount.extend({ newest: z.number() });

type NewestHitCount = z.infer<typeof newestHitCount>;

const selectHitCount = (ctx: Ctx, filter: ContactFilter, span: ContactSpan) =>
  statement(hitCount, sql`SELECT count(*) AS count FROM ${indexHits(ctx, filter, span)}`);

/** Also returns the number of the newest contact. */
export const selectNewestHitCount = (ctx: Ctx, filter: ContactFilter, size: number) =>
  statement(
    newestHitCount,
    sql`
      SELECT count(*) AS count, ${newestContactNumber(ctx)} AS newest
      FROM ${indexHits(ctx, filter, { high: null, from: 0, to: size })}`,
  );

/** Each page read also counts the hits among this many newest contacts. Only larger workspaces need further counts. */
export const COUNTED_WITH_PAGE = INDEX_SLICES.first;

/** If a slice has fewer hits, its time hardly depends on its size, so a smaller slice would not be faster. */
const FEW_ENTRIES = 1000;

/** Counts the hits among all other contacts in slices, in a turn. Throws the errors of `answerInTurn`. */
export async function completeTotal(ctx: Ctx, filter: ContactFilter, [first]: NewestHitCount[]): Promise<number> {
  if (first === undefined) throw new Error("The newest contacts were not counted.");
  const { count: counted, newest } = first;
  if (COUNTED_WITH_PAGE >= newest) return counted;
  return answerInTurn(ctx, { key: ["contacts", filter], shape: z.number(), keptFrom: 1 }, async (turn) => {
    let total = counted;
    await scanAll(turn, { from: COUNTED_WITH_PAGE, sizes: INDEX_SLICES }, async (from, to) => {
      const { hits } = await transact(turn.ctx.db, {
        hits: selectHitCount(ctx, filter, { high: newest, from, to }),
      });
      const count = hits[0]?.count ?? 0;
      total += count;
      return { end: newest, isCheap: count < FEW_ENTRIES };
    });
    return total;
  });
}
