import * as z from "zod";
import type { Ctx } from "../../shared/context.ts";
import { notFound } from "../../shared/errors.ts";
import { recipientRecord, type RecipientRecord } from "./campaigns.schemas.ts";
import * as repository from "./list-recipients.sql.ts";

const ends = z.array(z.object({ next: z.number().nullable() }));

/**
 * Recipients in their order, from number `from` on. `next` is where the next page begins, or null; a page may be short, since
 * it looks at a bounded number of them. Throws `not_found`.
 */
export async function listRecipients(
  ctx: Ctx,
  id: string,
  filter: repository.RecipientFilter,
): Promise<{ recipients: RecipientRecord[]; next: number | null }> {
  const found = await repository.list(ctx, id, filter);
  const [end] = ends.parse(found.ends);
  if (end === undefined) throw notFound("campaign");
  const rows = z.array(recipientRecord).parse(found.rows);
  const recipients = rows.slice(0, filter.limit);
  return { recipients, next: rows[filter.limit]?.number ?? end.next };
}
