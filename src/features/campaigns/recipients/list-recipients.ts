import { sql } from "drizzle-orm";
import { columns } from "../../../db/columns.ts";
import { campaigns, contacts, messages } from "../../../db/schema/index.ts";
import { type Statement, statement, transact } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { currentContactSeq } from "../../contacts/identity/identify-people.sql.ts";
import { isLeftUnsent, recipientStateName } from "../../messages/campaign-messages.sql.ts";
import { type RecipientRecord, recipientRecord } from "../campaigns.schemas.ts";
import { isCampaign, recipientId } from "../campaigns.sql.ts";
import { notFound } from "../../../shared/errors.ts";

const c = columns(contacts, "c");
const m = columns(messages, "m");
const p = columns(campaigns, "p");

/** How many recipients one page reads. */
export const RECIPIENTS_PER_READ = 5000;

export interface RecipientFilter {
  state: string | undefined;
  limit: number;
  /** The number of the first recipient to read. */
  from: number;
}

/**
 * One row more than `limit`. Given-up recipients appear as skipped, although their rows are still queued. Raw, because recipients are
 * a range of message ids.
 */
function selectRecipients(ctx: Ctx, id: string, { state, limit, from }: RecipientFilter): Statement<RecipientRecord> {
  const isSkipped = isLeftUnsent(m, p);
  const current = sql`iif(${isSkipped}, 'skipped', ${recipientStateName(m)})`;
  return statement(
    recipientRecord,
    sql`
      SELECT CAST(substr(${m.id}, -8) AS INTEGER) AS number, ${m.id} AS message_id, ${c.id} AS contact_id, ${c.name} AS name,
        ${m.address} AS address, ${current} AS state,
        iif(${isSkipped}, ${p.skipRestAs}, ${m.errorCode}) AS reason, ${m.errorMessage} AS error_message,
        ${m.sentAt} AS sent_at, ${m.deliveredAt} AS delivered_at, ${m.readAt} AS read_at, ${m.failedAt} AS failed_at,
        iif(${isSkipped}, ${p.completedAt}, max(${m.createdAt}, coalesce(${m.sentAt}, 0), coalesce(${m.deliveredAt}, 0),
          coalesce(${m.readAt}, 0), coalesce(${m.failedAt}, 0))) AS updated_at
      FROM campaigns p
      CROSS JOIN messages m ON ${m.id} >= ${recipientId(sql`${from}`)} AND ${m.id} < ${recipientId(sql`${from + RECIPIENTS_PER_READ}`)}
      CROSS JOIN contacts c ON ${c.seq} = ${currentContactSeq(m.contactSeq)}
      WHERE ${p.id} = ${id} AND ${p.workspaceId} = ${ctx.workspace.id} AND ${m.campaignId} = ${p.id}
        ${state === undefined ? sql`` : sql`AND ${current} = ${state}`}
      ORDER BY ${m.id} LIMIT ${limit + 1}`,
  );
}

/**
 * Recipients in order, from number `from`; `next` is the start of the next page, or null. A page may be short, because each reads a
 * limited number of rows. Throws `not_found`.
 */
export async function listRecipients(
  ctx: Ctx,
  id: string,
  filter: RecipientFilter,
): Promise<{ recipients: RecipientRecord[]; next: number | null }> {
  const { rows, found } = await transact(ctx.db, {
    rows: selectRecipients(ctx, id, filter),
    found: ctx.db.select({ expanded: campaigns.expanded }).from(campaigns).where(isCampaign(ctx, id)),
  });
  const [campaign] = found;
  if (campaign === undefined) throw notFound("campaign");
  const windowEnd = filter.from + RECIPIENTS_PER_READ;
  const next = rows[filter.limit]?.number ?? (campaign.expanded > windowEnd ? windowEnd : null);
  return { recipients: rows.slice(0, filter.limit), next };
}
