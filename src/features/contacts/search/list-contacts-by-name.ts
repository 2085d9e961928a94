import { sql, type SQL } from "drizzle-orm";
import * as z from "zod";
import { columns } from "../../../db/columns.ts";
import { contacts } from "../../../db/schema/index.ts";
import { statement, transact } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { readContactPage, selectContactPage } from "./contact-page.ts";
import type { ContactHits } from "./search-contacts.ts";
import { completeTotal, COUNTED_WITH_PAGE, selectNewestHitCount } from "./search-totals.ts";

const contact = columns(contacts);

/** Contacts without a name sort after all names. */
type NamePosition = [name: string, seq: number];

interface NameRange {
  limit: number;
  /** Starts after this contact. */
  after: NamePosition | undefined;
  isDescending: boolean;
}

/** Must equal the expression of the index `contacts_by_name`. */
const foldedName = sql`CASE WHEN ${contact.folded} ->> '$.name' IS NULL THEN char(1114111) ELSE ${contact.folded} ->> '$.name' END`;

function contactsByName(ctx: Ctx, { limit, after, isDescending }: NameRange): SQL {
  const direction = isDescending ? sql`DESC` : sql`ASC`;
  const bySeq = sql`ORDER BY ${contact.seq} ${direction} LIMIT ${limit}`;
  const byName = sql`ORDER BY name_key ${direction}, ${contact.seq} ${direction} LIMIT ${limit}`;
  const from = (condition: SQL, order: SQL) => sql`
    SELECT * FROM (SELECT ${contact.seq}, ${foldedName} AS name_key FROM contacts
      WHERE ${contact.workspaceId} = ${ctx.workspace.id} AND ${contact.archivedAt} IS NULL AND ${condition} ${order})`;
  if (after === undefined) return from(sql`TRUE`, byName);
  const [name, seq] = after;
  const behind = isDescending ? sql`<` : sql`>`;
  // Raw SQL, because the page is a union of two index ranges: the contacts after `seq` with the same name, and those
  // with later names. Without the split, SQLite would read all contacts with that name again.
  return sql`
    ${from(sql`${foldedName} = ${name} AND ${contact.seq} ${behind} ${seq}`, bySeq)}
    UNION ALL ${from(sql`${foldedName} ${behind} ${name}`, byName)} ${byName}`;
}

const positionRow = z.object({ seq: z.number(), name_key: z.string() });

const selectPositions = (ctx: Ctx, range: NameRange) => statement(positionRow, contactsByName(ctx, range));

interface ContactsByName extends Omit<ContactHits, "next"> {
  next: NamePosition | null;
}

const ALL = { archived: false };

/** Throws the errors of `completeTotal`. */
export async function listContactsByName(
  ctx: Ctx,
  { includeTotal, ...requested }: NameRange & { includeTotal: boolean },
): Promise<ContactsByName> {
  // One contact beyond the limit shows that a next page exists.
  const range = { ...requested, limit: requested.limit + 1 };
  const { page, positions, newest } = await transact(ctx.db, {
    page: selectContactPage(ctx, contactsByName(ctx, range), range.limit),
    positions: selectPositions(ctx, range),
    newest: includeTotal ? [selectNewestHitCount(ctx, ALL, COUNTED_WITH_PAGE)] : [],
  });
  const { rows, layout } = await readContactPage(ctx, page);
  const bySeq = new Map(rows.map((row) => [row.seq, row]));
  const listed = positions.slice(0, requested.limit);
  const last = positions.length > requested.limit ? listed.at(-1) : undefined;
  return {
    rows: listed.flatMap(({ seq }) => bySeq.get(seq) ?? []),
    layout,
    next: last === undefined ? null : [last.name_key, last.seq],
    total: includeTotal ? await completeTotal(ctx, ALL, newest) : null,
  };
}
