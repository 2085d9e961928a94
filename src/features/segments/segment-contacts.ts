import { sql, type SQL } from "drizzle-orm";
import * as z from "zod";
import { columns } from "../../db/columns.ts";
import { contacts } from "../../db/schema/index.ts";
import { meteredTransact, statement, transact } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { readContactPage, selectContactPage } from "../contacts/search/contact-page.ts";
import { baseSeq, type ContactSpan, newestContactNumber, isNumberedWithin } from "../contacts/contacts.sql.ts";
import {
  answerInTurn,
  inTurn,
  needsTurn,
  noteRead,
  runInTurn,
  scanAll,
  scanSlices,
  type ScanTurn,
} from "../scans/scans.service.ts";
import { CONTACT_SLICES } from "../scans/scans.slices.ts";
import { compileFilter } from "./compile-filter.sql.ts";
import { type SegmentInUse, useSegment } from "./use-segment.ts";
import type { SentFilter } from "./segments.reading.ts";
import type { SegmentRecord } from "./segments.schemas.ts";
import { findFilter } from "./segments.service.ts";

const c = columns(contacts, "c");

function selectSegmentPage(ctx: Ctx, condition: SQL, { high, from, to }: ContactSpan, limit: number) {
  const base = baseSeq(ctx);
  const last = high === null ? newestContactNumber(ctx) : sql`${high}`;
  const hits = sql`
    SELECT ${c.seq} AS seq FROM contacts c
    WHERE ${c.seq} > ${base} + max(0, ${last} - ${to}) AND ${c.seq} <= ${base} + ${last} - ${from}
      AND ${c.archivedAt} IS NULL AND ${condition}
    ORDER BY ${c.seq} DESC LIMIT ${limit}`;
  return selectContactPage(ctx, hits, limit);
}

const newestRow = z.object({ newest: z.number() });

const selectNewestNumber = (ctx: Ctx) => statement(newestRow, sql`SELECT ${newestContactNumber(ctx)} AS newest`);

const READ_WITHOUT_TURN = 1000;
const MAX_READ = 5000;

async function readSpan(
  ctx: Ctx,
  { segment, condition }: { segment: SegmentInUse; condition: SQL },
  span: ContactSpan,
  limit: number,
) {
  const { rows: found, rowsRead } = await meteredTransact(ctx.db, {
    page: selectSegmentPage(ctx, condition, span, limit),
    newest: selectNewestNumber(ctx),
    segments: segment.unconfirmed(),
  });
  const { rows, layout } = await readContactPage(ctx, found.page);
  noteRead(ctx, { rowsRead, contacts: rows.length });
  segment.confirm(found.segments);
  return { rows, layout, newest: found.newest[0]?.newest ?? 0 };
}

interface PageQuery {
  limit: number;
  before: number | undefined;
}

/**
 * Reads at most `MAX_READ` contacts, so a page can be short. The first `READ_WITHOUT_TURN` of them need no turn unless
 * the workspace has used its share of database time.
 */
export const listSegmentContacts = (ctx: Ctx, id: string, page: PageQuery) =>
  useSegment(ctx, id, (segment) => listContacts(ctx, segment, page));

async function listContacts(ctx: Ctx, segment: SegmentInUse, { limit, before }: PageQuery) {
  const { filter, fields } = segment.record;
  const searched = { segment, condition: compileFilter(filter, fields, ctx.now()) };
  const start = before === undefined ? null : before - 1;
  const readPage = async (currentTurn?: ScanTurn) => {
    const span = { high: start, from: 0, to: READ_WITHOUT_TURN };
    const { rows, layout, newest } = await readSpan(currentTurn?.ctx ?? ctx, searched, span, limit + 1);
    currentTurn?.addRecords(rows.length);
    const high = start ?? newest;
    const end = Math.min(high, MAX_READ);
    if (rows.length > limit || READ_WITHOUT_TURN >= end) return { rows, layout, high, reached: READ_WITHOUT_TURN };
    const readOlder = (turn: ScanTurn) =>
      scanSlices(
        turn,
        { from: READ_WITHOUT_TURN, sizes: { first: READ_WITHOUT_TURN, most: MAX_READ - READ_WITHOUT_TURN } },
        async (from, to) => {
          const older = { high, from, to: Math.min(to, end) };
          const read = await readSpan(turn.ctx, searched, older, limit + 1 - rows.length);
          turn.addRecords(read.rows.length);
          rows.push(...read.rows);
          return { end: rows.length > limit ? to : end };
        },
      );
    const { reached } = await inTurn(ctx, currentTurn, readOlder);
    return { rows, layout, high, reached };
  };
  const { rows, layout, high, reached } = await (needsTurn(ctx) ? runInTurn(ctx, readPage) : readPage());
  const listed = rows.slice(0, limit);
  const last = rows.length > limit ? listed.at(-1)?.seq : undefined;
  const belowReached = high > reached ? high - reached + 1 : null;
  return {
    contacts: listed.map(({ contact }) => contact),
    layout,
    next: last === undefined ? belowReached : last - baseSeq(ctx),
  };
}

const countRow = z.object({ count: z.number(), newest: z.number() });

const selectCountWithin = (ctx: Ctx, condition: SQL, from: number, to: number) =>
  statement(
    countRow,
    sql`
      SELECT count(*) AS count, ${newestContactNumber(ctx)} AS newest FROM contacts c
      WHERE ${isNumberedWithin(ctx, from, to)} AND ${c.archivedAt} IS NULL AND ${condition}`,
  );

const countContacts = (
  ctx: Ctx,
  { filter, fields }: Pick<SegmentRecord, "filter" | "fields">,
  segment?: SegmentInUse,
): Promise<number> =>
  answerInTurn(ctx, { key: ["segment", filter, fields], shape: z.number() }, async (turn) => {
    const condition = compileFilter(filter, fields, ctx.now());
    let total = 0;
    let end: number | null = null;
    await scanAll(turn, { from: 0, sizes: CONTACT_SLICES }, async (from, to) => {
      const rows = await transact(turn.ctx.db, {
        counted: selectCountWithin(ctx, condition, from, Math.min(to, end ?? to)),
        segments: segment?.unconfirmed() ?? [],
      });
      segment?.confirm(rows.segments);
      const { count, newest } = rows.counted[0] ?? { count: 0, newest: 0 };
      total += count;
      end ??= newest;
      return { end };
    });
    return total;
  });

export const countSegmentContacts = (ctx: Ctx, id: string): Promise<number> =>
  useSegment(ctx, id, (segment) => countContacts(ctx, segment.record, segment));

export const countFilterContacts = async (ctx: Ctx, sent: SentFilter): Promise<number> =>
  countContacts(ctx, await findFilter(ctx, sent));
