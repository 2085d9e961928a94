import * as z from "zod";
import type { Ctx } from "../../shared/context.ts";
import { answerInTurn, runInTurn, scanAll, scanWindows, type Turn } from "../scans/scans.service.ts";
import { INDEX_WINDOWS } from "../scans/scans.windows.ts";
import { tagKey } from "../tags/tags.service.ts";
import { numbersOf } from "./contacts.service.ts";
import type { ContactLayout, listContactsQuery } from "./contacts.schemas.ts";
import { type ContactRow, readContactPage } from "./list-contacts.ts";
import * as repository from "./search-contacts.repository.ts";
import type { ContactFilter, ContactPage } from "./search-contacts.repository.ts";

export { newestHits } from "./search-contacts.repository.ts";

type ListQuery = Pick<z.output<typeof listContactsQuery>, "search" | "tag" | "source" | "status" | "archived">;

export interface ContactHits {
  /** Newest first. */
  rows: ContactRow[];
  layout: ContactLayout;
  /** The contact number that the next page is below; null at the end. */
  next: number | null;
  total: number | null;
}

/** What of a list's query says which contacts are looked for. */
export const filterOf = ({ search: term, tag, source, status, archived = false }: ListQuery): ContactFilter => ({
  search: term,
  source,
  status,
  archived,
  tagKey: tag === undefined ? undefined : tagKey(tag),
});

const counts = z.tuple([z.object({ count: z.number() })]);
const givens = z.tuple([z.object({ given: z.number() })]);

/** Whether every contact of one kind passes, so that the newest are found at once. */
const isPlain = ({ search, tagKey: tag, source, status }: ContactFilter): boolean =>
  [search, tag, source, status].every((asked) => asked === undefined);

interface Begun {
  /** The highest number there is to look at, and how many there are from there down. */
  high: number;
  end: number;
}

/** Looks at older and older contacts until a page is full. */
async function lookFurther(
  turn: Turn,
  filter: ContactFilter,
  page: ContactPage,
  { high, end, from, rows }: Begun & { from: number; rows: ContactRow[] },
): Promise<Pick<ContactHits, "rows" | "next">> {
  const { ctx } = turn;
  const found = [...rows];
  let { offset } = page;
  const { reached } = await scanWindows(turn, { from, sizes: INDEX_WINDOWS }, async (start, to) => {
    const wanted = page.limit + 1 - found.length;
    const read = await repository.readSpan(ctx, filter, { high, from: start, to }, wanted, offset);
    const here = await readContactPage(ctx, read.found);
    found.push(...here.rows);
    offset = here.rows.length > 0 || read.passed === undefined ? 0 : offset - counts.parse(read.passed)[0].count;
    return { sqlMs: read.sqlMs, end: found.length > page.limit ? to : end };
  });
  return cut(found, page.limit, reached < end ? high - reached + 1 : null);
}

/** `rest` is the number that the next page is below where the rows are all there were above it. */
function cut(rows: ContactRow[], limit: number, rest: number | null): Pick<ContactHits, "rows" | "next"> {
  const shown = rows.slice(0, limit);
  return { rows: shown, next: rows.length > limit ? (shown.at(-1)?.seq ?? null) : rest };
}

/** How many contacts pass a filter. `counted` of them are among the newest `from`, of `given` numbers. */
const countFurther = (ctx: Ctx, filter: ContactFilter, given: number, from: number, counted: number): Promise<number> =>
  answerInTurn(ctx, { asked: ["contacts", filter], shape: z.number() }, async (turn) => {
    const high = numbersOf(ctx).base + given;
    let total = counted;
    await scanAll(turn, { from, sizes: INDEX_WINDOWS }, async (start, to) => {
      const { count, sqlMs } = await repository.countSpan(ctx, filter, { high, from: start, to });
      total += counts.parse(count)[0].count;
      return { sqlMs, end: given };
    });
    return total;
  });

/**
 * Contacts that pass all filters, found through one index whatever their mix. Only where the newest contacts do not fill the page
 * are older ones looked at, in a turn of the workspace; `held` is one that the caller has. Throws as `runInTurn`.
 */
export async function searchContacts(
  ctx: Ctx,
  filter: ContactFilter,
  page: ContactPage,
  held?: Turn,
): Promise<ContactHits> {
  const { below, limit, offset, includeTotal } = page;
  const { base, most } = numbersOf(ctx);
  const window = isPlain(filter) ? most : INDEX_WINDOWS.first;
  const newest = { high: null, from: 0, to: INDEX_WINDOWS.first };
  const span = {
    high: below === undefined && !isPlain(filter) ? null : (below ?? base + most) - 1,
    from: 0,
    to: window,
  };
  const read = () => repository.readFirst(ctx, filter, page, span, includeTotal ? newest : null);
  const first = await (held === undefined ? read() : held.read(read));
  const { rows, layout } = await readContactPage(ctx, first.found);
  const [{ given }] = givens.parse(first.given);

  const high = below === undefined ? base + given : Math.min(below, base + most) - 1;
  const end = high - base;
  const further = (turn: Turn) =>
    offset === 0 || rows.length > 0
      ? lookFurther(turn, filter, { ...page, offset: 0 }, { high, end, from: window, rows })
      : // How many of the newest the offset passes over is not known yet.
        lookFurther(turn, filter, page, { high, end, from: 0, rows });
  const isDone = rows.length > limit || window >= end;
  const found = isDone ? cut(rows, limit, null) : await (held === undefined ? runInTurn(ctx, further) : further(held));

  if (first.total === undefined) return { ...found, layout, total: null };
  const [{ count }] = counts.parse(first.total);
  const total = newest.to >= given ? count : await countFurther(ctx, filter, given, newest.to, count);
  return { ...found, layout, total };
}
