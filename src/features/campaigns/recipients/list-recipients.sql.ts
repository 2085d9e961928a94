import { sql } from "drizzle-orm";
import * as z from "zod";
import { columns } from "../../../db/columns.ts";
import { campaigns } from "../../../db/schema/campaigns.ts";
import { messages } from "../../../db/schema/messages.ts";
import { type Statement, statement } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { currentContactSeq } from "../../contacts/identity/identify-people.sql.ts";
import { isLeftUnsent, recipientStateName } from "../../messages/campaign-messages.sql.ts";
import { type RecipientRecord, recipientRecord } from "../campaigns.schemas.ts";
import { recipientId } from "../campaigns.sql.ts";

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

/** Recipients in order, one row more than `limit`. Given-up recipients appear as skipped, although their rows are still queued. */
export function selectRecipients(
  ctx: Ctx,
  id: string,
  { state, limit, from }: RecipientFilter,
): Statement<RecipientRecord> {
  const isSkipped = isLeftUnsent(m, p);
  const shown = sql`iif(${isSkipped}, 'skipped', ${recipientStateName(m)})`;
  return statement(
    recipientRecord,
    sql`
      SELECT CAST(substr(m.id, -8) AS INTEGER) AS number, m.id AS message_id, c.id AS contact_id, c.name AS name,
        m.address AS address, ${shown} AS state,
        iif(${isSkipped}, p.rest, m.error_code) AS reason, m.error_message AS error_message,
        m.sent_at AS sent_at, m.delivered_at AS delivered_at, m.read_at AS read_at, m.failed_at AS failed_at,
        iif(${isSkipped}, p.completed_at, max(m.created_at, coalesce(m.sent_at, 0), coalesce(m.delivered_at, 0),
          coalesce(m.read_at, 0), coalesce(m.failed_at, 0))) AS updated_at
      FROM campaigns p
      CROSS JOIN messages m ON m.id >= ${recipientId(sql`${from}`)} AND m.id < ${recipientId(sql`${from + RECIPIENTS_PER_READ}`)}
      CROSS JOIN contacts c ON c.seq = ${currentContactSeq(sql`m.contact_seq`)}
      WHERE p.id = ${id} AND p.workspace_id = ${ctx.workspace.id} AND m.campaign_id = p.id
        ${state === undefined ? sql`` : sql`AND ${shown} = ${state}`}
      ORDER BY m.id LIMIT ${limit + 1}`,
  );
}

const windowEnd = z.object({ next: z.number().nullable() });

/** The start of the next page if this page's window did not fill it, or null. No row if the campaign does not exist. */
export const selectWindowEnd = (
  ctx: Ctx,
  id: string,
  { from }: RecipientFilter,
): Statement<z.infer<typeof windowEnd>> =>
  statement(
    windowEnd,
    sql`
      SELECT iif(expanded > ${from + RECIPIENTS_PER_READ}, ${from + RECIPIENTS_PER_READ}, NULL) AS next FROM campaigns
      WHERE id = ${id} AND workspace_id = ${ctx.workspace.id}`,
  );
