import { sql } from "drizzle-orm";
import * as z from "zod";
import { columns } from "../../../db/columns.ts";
import { contacts } from "../../../db/schema/index.ts";
import { type SQL, statement, type Statement, timedTransact } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { fromJson } from "../../../shared/text/json.ts";
import { contactFacts } from "../../contacts/contacts.schemas.ts";
import { isNumberedWithin, newestContactNumber, contactFactsJson } from "../../contacts/contacts.sql.ts";
import { hasIdentity, userIdAt } from "../../contacts/identity/provider-ids.sql.ts";
import { compileFilter } from "../../segments/compile-filter.sql.ts";
import type { ResolvedAudience } from "../campaigns.schemas.ts";
import { exclusionCases } from "../campaigns.sql.ts";

const c = columns(contacts, "c");

/** True in SQL for contacts `c` that match the audience's filters, reachable or not. */
export const isInAudience = ({ filters, at }: ResolvedAudience): SQL =>
  sql.join([sql`TRUE`, ...filters.map(({ filter, fields }) => compileFilter(filter, fields, at))], sql` AND `);

/**
 * Why contact `c` is excluded from campaigns through the connection, or NULL. Only contacts without a number need a lookup of
 * identities.
 */
export const exclusionReason = (ctx: Ctx, connectionId: SQL): SQL => sql`CASE ${exclusionCases(ctx)}
  WHEN ${c.phoneKey} IS NULL AND ${userIdAt(c.seq, connectionId)} IS NULL
  THEN iif(${hasIdentity(c.seq)}, 'no_address', 'no_phone') END`;

const reasonCount = z.object({ reason: z.string().nullable(), count: z.number() });

/** An audience and its connection. */
export interface ReachedAudience {
  audience: ResolvedAudience;
  connectionId: string;
}

/** The numbers of contacts by the reason that excludes them; null for reachable contacts. */
const selectReasonCounts = (
  ctx: Ctx,
  { audience, connectionId }: ReachedAudience,
  within: SQL,
): Statement<z.infer<typeof reasonCount>> =>
  statement(
    reasonCount,
    sql`
      SELECT ${exclusionReason(ctx, sql`${connectionId}`)} AS reason, count(*) AS count FROM contacts c
      WHERE ${within} AND ${isInAudience(audience)} GROUP BY reason`,
  );

const audienceExample = z.object({ id: z.string(), user_id: z.string().nullable(), facts: fromJson(contactFacts) });

/** The first reachable contacts, with the values for templates. */
const selectExamples = (
  ctx: Ctx,
  { audience, connectionId }: ReachedAudience,
  within: SQL,
  limit: number,
): Statement<z.infer<typeof audienceExample>> =>
  statement(
    audienceExample,
    sql`
      SELECT ${c.id} AS id, iif(${c.phoneKey} IS NULL, ${userIdAt(c.seq, sql`${connectionId}`)}, NULL) AS user_id, ${contactFactsJson} AS facts
      FROM contacts c
      WHERE ${within} AND ${isInAudience(audience)} AND ${exclusionReason(ctx, sql`${connectionId}`)} IS NULL ORDER BY ${c.seq} LIMIT ${limit}`,
  );

const numbersRow = z.object({ newest: z.number() });

/** A window over contact numbers: after `from`, up to `to`. */
interface AudienceWindow {
  from: number;
  to: number;
  maxExamples: number;
}

/** Counts a window's contacts by reason. `newest` is the largest contact number. */
export async function countAudienceWindow(
  ctx: Ctx,
  reached: ReachedAudience,
  { from, to, maxExamples }: AudienceWindow,
) {
  const within = isNumberedWithin(ctx, from, to);
  const { rows, sqlMs } = await timedTransact(ctx.db, {
    counts: selectReasonCounts(ctx, reached, within),
    numbers: statement(numbersRow, sql`SELECT ${newestContactNumber(ctx)} AS newest`),
    examples: maxExamples === 0 ? [] : [selectExamples(ctx, reached, within, maxExamples)],
  });
  const { counts, examples, numbers } = rows;
  return { counts, examples, newest: numbers[0]?.newest ?? 0, sqlMs };
}
