import { sql } from "drizzle-orm";
import { columns } from "../../db/columns.ts";
import { campaigns, contacts, messages } from "../../db/schema/index.ts";
import { statement, transact } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { notFound } from "../../shared/errors.ts";
import { BOM, csvLine, guardCell } from "../../shared/text/csv.ts";
import { isoOrNull } from "../../shared/time/iso-times.ts";
import { currentContactSeq } from "../contacts/identity/identify-people.sql.ts";
import { isLeftUnsent, recipientStateName, recipientNumber } from "../messages/campaign-messages.sql.ts";
import { recipientRecord, type RecipientRecord } from "./campaigns.schemas.ts";
import { isCampaign, recipientId } from "./campaigns.sql.ts";
import { addressParts } from "./campaigns.views.ts";

const c = columns(contacts, "c");
const m = columns(messages, "m");
const p = columns(campaigns, "p");

const RECIPIENTS_PER_READ = 5000;

interface RecipientFilter {
  state: string | undefined;
  limit: number;
  from: number;
}

/**
 * If a campaign ended before it sent to a recipient, the recipient is listed as skipped, although the row is still
 * `queued`.
 */
function selectRecipients(ctx: Ctx, id: string, { state, limit, from }: RecipientFilter) {
  const isSkipped = isLeftUnsent(m, p);
  const current = sql`iif(${isSkipped}, 'skipped', ${recipientStateName(m)})`;
  return statement(
    recipientRecord,
    sql`
      SELECT ${recipientNumber(m.id)} AS number, ${m.id} AS message_id, ${c.id} AS contact_id, ${c.name} AS name,
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
 * A page reads a limited number of rows, so it can have fewer recipients than `limit` although more exist. `next` is
 * null at the end.
 */
export async function listRecipients(ctx: Ctx, id: string, filter: RecipientFilter) {
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

const COLUMNS = [
  "contact_id",
  "name",
  "phone",
  "user_id",
  "state",
  "reason",
  "error_message",
  "sent_at",
  "delivered_at",
  "read_at",
  "failed_at",
  "updated_at",
  "message_id",
];

/** The console adds spaces to the number, because a spreadsheet treats a plus and digits as a formula. */
type FormatPhone = (e164: string) => string;

function recipientLine(record: RecipientRecord, formatPhone: FormatPhone): string {
  const { contact_id, name, address, state, reason, error_message, message_id, ...times } = record;
  const { phone, user_id: userId } = addressParts(address);
  const { sent_at, delivered_at, read_at, failed_at, updated_at } = times;
  const failedAt = state === "skipped" ? null : failed_at;
  return csvLine([
    contact_id,
    guardCell(name ?? ""),
    phone === null ? "" : formatPhone(phone),
    guardCell(userId ?? ""),
    state,
    reason ?? "",
    guardCell(error_message ?? ""),
    ...[sent_at, delivered_at, read_at, failedAt, updated_at].map((at) => isoOrNull(at) ?? ""),
    state === "skipped" ? "" : message_id,
  ]);
}

/** Yields CSV lines. Throws `not_found` before the first line, so that the response can still be a 404. */
export async function* exportRecipients(
  ctx: Ctx,
  id: string,
  state: string | undefined,
  formatPhone: FormatPhone = (e164) => e164,
): AsyncGenerator<string> {
  let head = BOM + csvLine(COLUMNS);
  for (let from: number | null = 0; from !== null;) {
    const page: Awaited<ReturnType<typeof listRecipients>> = await listRecipients(ctx, id, {
      state,
      limit: RECIPIENTS_PER_READ,
      from,
    });
    yield head + page.recipients.map((each) => recipientLine(each, formatPhone)).join("");
    head = "";
    from = page.next;
  }
}
