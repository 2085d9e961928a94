import { transact } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { notFound } from "../../../shared/errors.ts";
import type { RecipientRecord } from "../campaigns.schemas.ts";
import { type RecipientFilter, selectRecipients, selectWindowEnd } from "./list-recipients.sql.ts";

/**
 * Recipients in order, from number `from`; `next` is the start of the next page, or null. A page may be short, because each reads a
 * limited number of rows. Throws `not_found`.
 */
export async function listRecipients(
  ctx: Ctx,
  id: string,
  filter: RecipientFilter,
): Promise<{ recipients: RecipientRecord[]; next: number | null }> {
  const { rows, ends } = await transact(ctx.db, {
    rows: selectRecipients(ctx, id, filter),
    ends: selectWindowEnd(ctx, id, filter),
  });
  const [end] = ends;
  if (end === undefined) throw notFound("campaign");
  return { recipients: rows.slice(0, filter.limit), next: rows[filter.limit]?.number ?? end.next };
}
