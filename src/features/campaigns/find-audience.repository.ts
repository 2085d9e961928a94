import { sql } from "drizzle-orm";
import { batch, type SQL } from "../../db/client.ts";
import type { Ctx } from "../../shared/context.ts";
import { contactJson, layoutJson, optedOutAt, SEQ_RANGE } from "../contacts/contacts.service.ts";
import { compileFilter } from "../segments/segments.filter.ts";
import type { ResolvedAudience } from "./campaigns.schemas.ts";

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

const ofWorkspace = (ctx: Ctx): SQL => {
  const base = ctx.workspace.number * SEQ_RANGE;
  return sql`c.seq BETWEEN ${base} AND ${base + SEQ_RANGE - 1}`;
};

/** Rows `reason, count`: how many contacts are meant, by why they cannot be reached; null for those who can. */
const countByReason = (ctx: Ctx, audience: ResolvedAudience): SQL => sql`
  SELECT ${unreachable(ctx)} AS reason, count(*) AS count FROM contacts c
  WHERE ${ofWorkspace(ctx)} AND ${isMeant(audience)} GROUP BY reason`;

/** The first reachable contacts, `contact` each, and the `layout` they are presented with. */
const examples = (ctx: Ctx, audience: ResolvedAudience, limit: number): SQL => sql`
  SELECT ${contactJson(ctx)} AS contact, ${layoutJson(ctx)} AS layout FROM contacts c
  WHERE ${ofWorkspace(ctx)} AND ${isMeant(audience)} AND ${unreachable(ctx)} IS NULL ORDER BY c.seq LIMIT ${limit}`;

export async function count(ctx: Ctx, audience: ResolvedAudience): Promise<unknown> {
  const [rows] = await batch(ctx.db, [countByReason(ctx, audience)]);
  return rows;
}

export async function countAndShow(ctx: Ctx, audience: ResolvedAudience, limit: number) {
  const [counts, people] = await batch(ctx.db, [countByReason(ctx, audience), examples(ctx, audience, limit)]);
  return { counts, people };
}
