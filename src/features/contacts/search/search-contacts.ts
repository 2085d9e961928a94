import type * as z from "zod";
import { timedTransact } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { runInTurn, type ScanTurn } from "../../scans/scans.service.ts";
import { SlowSearches } from "../../scans/scans.heavy-use.ts";
import { type ContactRow, readContactPage, selectContactPage } from "./contact-page.ts";
import type { ContactLayout, listContactsQuery } from "../contacts.schemas.ts";
import { type ContactFilter, type HitRange, rangeOfHits } from "./search-contacts.sql.ts";
import { completeTotal, COUNTED_WITH_PAGE, selectNewestHitCount } from "./search-totals.ts";
import { nameKey } from "../../../shared/text/folding.ts";

type ListQuery = Pick<z.output<typeof listContactsQuery>, "search" | "tag" | "source" | "status" | "archived">;

export interface ContactHits {
  rows: ContactRow[];
  layout: ContactLayout;
  next: number | null;
  total: number | null;
}

export const contactFilterFromQuery = ({
  search,
  tag,
  source,
  status,
  archived = false,
}: ListQuery): ContactFilter => ({
  search,
  source,
  status,
  archived,
  tagKey: tag === undefined ? undefined : nameKey(tag),
});

const slowSearches = new SlowSearches();

/** Waits for a turn (or uses `currentTurn`) while the workspace's searches are slow. Throws the errors of `runInTurn`. */
export async function searchContacts(
  ctx: Ctx,
  filter: ContactFilter,
  { includeTotal, ...range }: HitRange & { includeTotal: boolean },
  currentTurn?: ScanTurn,
): Promise<ContactHits> {
  const readPage = async () => {
    // One contact beyond the limit shows that a next page exists.
    const limit = range.limit + 1;
    const { rows: found, sqlMs } = await timedTransact(ctx.db, {
      page: selectContactPage(ctx, rangeOfHits(ctx, filter, { ...range, limit }), limit),
      newest: includeTotal ? [selectNewestHitCount(ctx, filter, COUNTED_WITH_PAGE)] : [],
    });
    const page = await readContactPage(ctx, found.page);
    return { ...page, newest: found.newest, sqlMs, contacts: page.rows.length };
  };
  const inTurn = (turn: ScanTurn) => turn.read(readPage);
  const takesTurn = currentTurn === undefined && slowSearches.has(ctx.workspace.id, ctx.now());
  const read = await (currentTurn !== undefined
    ? inTurn(currentTurn)
    : takesTurn
      ? runInTurn(ctx, inTurn)
      : readPage());
  slowSearches.note(ctx.workspace.id, read.sqlMs, ctx.now());

  const rows = range.isOldestFirst === true ? read.rows.toReversed() : read.rows;
  const listed = rows.slice(0, range.limit);
  const next = rows.length > range.limit ? (listed.at(-1)?.seq ?? null) : null;
  const lastTotal = next === null ? totalOfLastPage(range, listed.length) : null;
  const total = includeTotal ? (lastTotal ?? (await completeTotal(ctx, filter, read.newest))) : null;
  return { rows: listed, layout: read.layout, next, total };
}

/** The total if this page ends the list, which saves a count. Null after a cursor, or if the offset is beyond the end. */
function totalOfLastPage({ offset, after }: HitRange, listed: number): number | null {
  return after === undefined && (listed > 0 || offset === 0) ? offset + listed : null;
}
