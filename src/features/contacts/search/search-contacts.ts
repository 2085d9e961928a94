import type * as z from "zod";
import { meteredTransact } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { inTurn, needsTurn, noteRead, type ScanTurn } from "../../scans/scans.service.ts";
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

/**
 * True for a text with another filter. If few contacts match both, FTS5 reads all entries of each to find them. D1 does
 * not count this work as rows read, so `noteRead` cannot measure it.
 */
const mayBeSlow = ({ search, status, source, tagKey, archived }: ContactFilter): boolean =>
  search !== undefined && (status !== undefined || source !== undefined || tagKey !== undefined || archived === true);

/**
 * A search runs in a turn if it may be slow or if the workspace has used its share. Throws the errors of `runInTurn`.
 */
export async function searchContacts(
  ctx: Ctx,
  filter: ContactFilter,
  { includeTotal, ...range }: HitRange & { includeTotal: boolean },
  currentTurn?: ScanTurn,
): Promise<ContactHits> {
  const readPage = async (reading: Ctx) => {
    // One contact beyond the limit shows that a next page exists.
    const limit = range.limit + 1;
    const { rows: found, rowsRead } = await meteredTransact(reading.db, {
      page: selectContactPage(ctx, rangeOfHits(ctx, filter, { ...range, limit }), limit),
      newest: includeTotal ? [selectNewestHitCount(ctx, filter, COUNTED_WITH_PAGE)] : [],
    });
    const page = await readContactPage(reading, found.page);
    noteRead(ctx, { rowsRead, contacts: page.rows.length });
    return { ...page, newest: found.newest };
  };
  const readInTurn = async (turn: ScanTurn) => {
    const page = await readPage(turn.ctx);
    turn.addRecords(page.rows.length);
    return page;
  };
  const isInTurn = currentTurn !== undefined || mayBeSlow(filter) || needsTurn(ctx);
  const read = await (isInTurn ? inTurn(ctx, currentTurn, readInTurn) : readPage(ctx));

  const rows = range.isOldestFirst === true ? read.rows.toReversed() : read.rows;
  const listed = rows.slice(0, range.limit);
  const next = rows.length > range.limit ? (listed.at(-1)?.seq ?? null) : null;
  const lastTotal = next === null ? totalOfLastPage(range, listed.length) : null;
  const total = includeTotal ? (lastTotal ?? (await completeTotal(ctx, filter, read.newest))) : null;
  return { rows: listed, layout: read.layout, next, total };
}

/** On the last page, the total follows from the offset. Null if it does not: after a cursor, or beyond the end. */
function totalOfLastPage({ offset, after }: HitRange, listed: number): number | null {
  return after === undefined && (listed > 0 || offset === 0) ? offset + listed : null;
}
