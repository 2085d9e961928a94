import { transact } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { readContactPage } from "./contact-page.ts";
import { selectContactPage } from "./contact-page.sql.ts";
import { contactsByName, type NamePosition, type NameRange, selectPlacesByName } from "./list-contacts-by-name.sql.ts";
import type { ContactHits } from "./search-contacts.ts";
import { completeTotal, COUNTED_WITH_PAGE } from "./search-totals.ts";
import { selectNewestHitCount } from "./search-totals.sql.ts";

interface ContactsByName extends Omit<ContactHits, "next"> {
  next: NamePosition | null;
}

const ALL = { archived: false };

/** All active contacts in the order of their names, read from an index. Throws as `runInTurn` where the total is asked for. */
export async function listContactsByName(
  ctx: Ctx,
  { includeTotal, ...asked }: NameRange & { includeTotal: boolean },
): Promise<ContactsByName> {
  // One contact beyond the limit shows that there is a next page.
  const range = { ...asked, limit: asked.limit + 1 };
  const { page, places, newest } = await transact(ctx.db, {
    page: selectContactPage(ctx, contactsByName(ctx, range), range.limit),
    places: selectPlacesByName(ctx, range),
    newest: includeTotal ? [selectNewestHitCount(ctx, ALL, COUNTED_WITH_PAGE)] : [],
  });
  const { rows, layout } = await readContactPage(ctx, page);
  const bySeq = new Map(rows.map((row) => [row.seq, row]));
  const shown = places.slice(0, asked.limit);
  const last = places.length > asked.limit ? shown.at(-1) : undefined;
  return {
    rows: shown.flatMap(({ seq }) => bySeq.get(seq) ?? []),
    layout,
    next: last === undefined ? null : [last.name_key, last.seq],
    total: includeTotal ? await completeTotal(ctx, ALL, newest) : null,
  };
}
