import { sql } from "drizzle-orm";
import * as z from "zod";
import { columns } from "../../db/columns.ts";
import { contacts } from "../../db/schema/index.ts";
import { type SQL, statement, type Statement, timedTransact } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { answerInTurn, scanAll } from "../scans/scans.service.ts";
import { CONTACT_SLICES } from "../scans/scans.slices.ts";
import { compileFilter } from "./compile-filter.sql.ts";
import type { SentFilter } from "./segments.reading.ts";
import type { SegmentRecord } from "./segments.schemas.ts";
import { findFilter } from "./segments.service.ts";
import { type SegmentInUse, useSegment } from "./use-segment.ts";
import { isNumberedWithin, newestContactNumber } from "../contacts/contacts.sql.ts";

const c = columns(contacts, "c");

const countRow = z.object({ count: z.number(), given: z.number() });

/**
 * Counts the active contacts with numbers above `from` and up to `to` for which `condition` (on `c`) holds. Raw, because a filter
 * compiles to SQL on `c`.
 */
const selectCountWithin = (ctx: Ctx, condition: SQL, from: number, to: number): Statement<z.infer<typeof countRow>> =>
  statement(
    countRow,
    sql`
      SELECT count(*) AS count, ${newestContactNumber(ctx)} AS given FROM contacts c
      WHERE ${isNumberedWithin(ctx, from, to)} AND ${c.archivedAt} IS NULL AND ${condition}`,
  );

/** Counts the contacts that exist at the start, in slices, in a turn of the workspace. */
const countContacts = (
  ctx: Ctx,
  { filter, fields }: Pick<SegmentRecord, "filter" | "fields">,
  segment?: SegmentInUse,
): Promise<number> =>
  answerInTurn(ctx, { asked: ["segment", filter, fields], shape: z.number() }, async (turn) => {
    const condition = compileFilter(filter, fields, ctx.now());
    let total = 0;
    let end: number | null = null;
    await scanAll(turn, { from: 0, sizes: CONTACT_SLICES }, async (from, to) => {
      const { rows, sqlMs } = await timedTransact(ctx.db, {
        counted: selectCountWithin(ctx, condition, from, Math.min(to, end ?? to)),
        segments: segment?.unconfirmed() ?? [],
      });
      segment?.confirm(rows.segments);
      const { count, given } = rows.counted[0] ?? { count: 0, given: 0 };
      total += count;
      end ??= given;
      return { sqlMs, end };
    });
    return total;
  });

/**
 * The number of active contacts of a segment; reads all contacts, so a large count may be seconds old. Throws `not_found`,
 * `invalid_state` for an invalid segment, and the errors of `answerInTurn`.
 */
export const countSegmentContacts = (ctx: Ctx, id: string): Promise<number> =>
  useSegment(ctx, id, (segment) => countContacts(ctx, segment.record, segment));

/** Counts the active contacts of an unsaved filter. Throws `validation_failed`, and the errors of `answerInTurn`. */
export const countFilterContacts = async (ctx: Ctx, sent: SentFilter): Promise<number> =>
  countContacts(ctx, await findFilter(ctx, sent));
