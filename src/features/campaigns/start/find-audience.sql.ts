import { sql } from "drizzle-orm";
import { timedBatch } from "../../../db/client.ts";
import type { SQL } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { isWithin, numbersGiven, optedOutAt, valuesJson } from "../../contacts/contacts.sql.ts";
import { compileFilter } from "../../segments/segments.filter.ts";
import type { ResolvedAudience } from "../campaigns.schemas.ts";

/** True in SQL for contacts `c` that the filters mean, reachable or not. */
export const isMeant = ({ filters, at }: ResolvedAudience): SQL =>
  sql.join([sql`TRUE`, ...filters.map(({ filter, fields }) => compileFilter(filter, fields, at))], sql` AND `);

/** Why contact `c` gets no campaign, or NULL. */
export const unreachable = (ctx: Ctx): SQL => sql`CASE
  WHEN c.archived_at IS NOT NULL THEN 'archived'
  WHEN ${optedOutAt(ctx, sql`c.id`, sql`c.phone_key`)} IS NOT NULL THEN 'unsubscribed'
  WHEN ${optedOutAt(ctx, sql`c.id`, sql`c.phone_key`, "marketing_suppressions")} IS NOT NULL THEN 'marketing_opt_out'
  WHEN c.phone_key IS NULL THEN 'no_phone'
END`;

/** Rows `reason, count`: how many contacts are meant, by why they cannot be reached; null for those who can. */
const countByReason = (ctx: Ctx, audience: ResolvedAudience, within: SQL): SQL => sql`
  SELECT ${unreachable(ctx)} AS reason, count(*) AS count FROM contacts c
  WHERE ${within} AND ${isMeant(audience)} GROUP BY reason`;

/** The first reachable contacts: `id`, and `facts` to fill a template from. */
const examples = (ctx: Ctx, audience: ResolvedAudience, within: SQL, limit: number): SQL => sql`
  SELECT c.id AS id, ${valuesJson} AS facts FROM contacts c
  WHERE ${within} AND ${isMeant(audience)} AND ${unreachable(ctx)} IS NULL ORDER BY c.seq LIMIT ${limit}`;

/** Counts the contacts numbered behind `from`, up to `to`, by reason; `given` is how many numbers there are. With up to `shown` examples. */
export async function countWithin(ctx: Ctx, audience: ResolvedAudience, from: number, to: number, shown: number) {
  const within = isWithin(ctx, from, to);
  const { rows, sqlMs } = await timedBatch(ctx.db, [
    countByReason(ctx, audience, within),
    sql`SELECT ${numbersGiven(ctx)} AS given`,
    ...(shown === 0 ? [] : [examples(ctx, audience, within, shown)]),
  ]);
  const [counts, given, people = []] = rows;
  return { counts, given, people, sqlMs };
}
