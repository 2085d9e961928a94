import * as z from "zod";
import type { Ctx } from "../../shared/context.ts";
import { answerInTurn, runInTurn, scanAll, type Turn } from "../scans/scans.service.ts";
import { SlowSearches } from "../scans/scans.slow.ts";
import { INDEX_WINDOWS } from "../scans/scans.windows.ts";
import { tagKey } from "../tags/tags.service.ts";
import { numbersOf } from "./contacts.service.ts";
import type { ContactLayout, listContactsQuery } from "./contacts.schemas.ts";
import { type ContactRow, readContactPage } from "./list-contacts.ts";
import * as repository from "./search-contacts.sql.ts";
import type { ContactFilter, ContactPage } from "./search-contacts.sql.ts";

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
const totals = z.tuple([z.object({ count: z.number(), given: z.number() })]);

/** Fewer entries than this do not take long to count: what took long was finding them, which it does in a smaller window too. */
const FEW = 1000;

/** How many contacts pass a filter, of `given` numbers; `counted` of them are among the newest `from`. */
const countFurther = (ctx: Ctx, filter: ContactFilter, given: number, from: number, counted: number): Promise<number> =>
  answerInTurn(ctx, { asked: ["contacts", filter], shape: z.number(), keptFrom: 1 }, async (turn) => {
    const high = numbersOf(ctx).base + given;
    let total = counted;
    await scanAll(turn, { from, sizes: INDEX_WINDOWS }, async (start, to) => {
      const { found, sqlMs } = await repository.countSpan(ctx, filter, { high, from: start, to });
      const [{ count }] = counts.parse(found);
      total += count;
      return { sqlMs, end: given, ...(count < FEW && { windowMs: 0 }) };
    });
    return total;
  });

const slow = new SlowSearches();

/**
 * Contacts that pass all filters, found through one index whatever their mix; in a turn of the workspace where its searches take
 * long. `held` is a turn that the caller has. Throws as `runInTurn`.
 */
export async function searchContacts(
  ctx: Ctx,
  filter: ContactFilter,
  page: ContactPage,
  held?: Turn,
): Promise<ContactHits> {
  const newest = INDEX_WINDOWS.first;
  const read = async () => {
    const { found, total, sqlMs } = await repository.search(ctx, filter, page, newest);
    const { rows, layout } = await readContactPage(ctx, found);
    return { rows, layout, total, sqlMs, contacts: rows.length };
  };
  const inTurn = (turn: Turn) => turn.read(read);
  const takesTurn = held === undefined && slow.has(ctx.workspace.id, ctx.now());
  const first = await (held !== undefined ? inTurn(held) : takesTurn ? runInTurn(ctx, inTurn) : read());
  slow.note(ctx.workspace.id, first.sqlMs, ctx.now());

  const { rows, layout } = first;
  const shown = rows.slice(0, page.limit);
  const next = rows.length > page.limit ? (shown.at(-1)?.seq ?? null) : null;
  if (first.total === undefined) return { rows: shown, layout, next, total: null };
  const [{ count, given }] = totals.parse(first.total);
  const total = newest >= given ? count : await countFurther(ctx, filter, given, newest, count);
  return { rows: shown, layout, next, total };
}
