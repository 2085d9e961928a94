import type { Ctx } from "../../../shared/context.ts";
import { BOM, csvLine, guardCell } from "../../../shared/text/csv.ts";
import type { RecipientRecord } from "../campaigns.schemas.ts";
import { addressParts } from "../campaigns.views.ts";
import { listRecipients, RECIPIENTS_PER_READ } from "./list-recipients.ts";
import { isoOrNull } from "../../../shared/time/iso-times.ts";

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

/** A number in E.164 form. */
type FormatPhone = (e164: string) => string;

function recipientLine(record: RecipientRecord, formatPhone: FormatPhone): string {
  const { contact_id, name, address, state, reason, error_message, message_id, ...times } = record;
  const { phone, user_id: userId } = addressParts(address);
  const { sent_at, delivered_at, read_at, failed_at, updated_at } = times;
  const failedAt = state === "skipped" ? null : failed_at;
  return csvLine([
    contact_id,
    guardCell(name ?? ""),
    phone === null ? "" : formatPhone(phone), // a plus and digits, which spreadsheets do not run as a formula
    guardCell(userId ?? ""),
    state,
    reason ?? "",
    guardCell(error_message ?? ""),
    ...[sent_at, delivered_at, read_at, failedAt, updated_at].map((at) => isoOrNull(at) ?? ""),
    state === "skipped" ? "" : message_id,
  ]);
}

/**
 * A campaign's recipients as CSV lines, all or those in a state. Yields at most 5,000 lines per read. Throws `not_found` before the
 * first lines.
 */
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
