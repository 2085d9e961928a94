import type { Ctx } from "../../shared/context.ts";
import { BOM, csvLine, guardCell } from "../../shared/csv.ts";
import { spacedPhone } from "../../shared/phone.ts";
import type { RecipientRecord } from "./campaigns.schemas.ts";
import { addressParts } from "./campaigns.views.ts";
import { listRecipients } from "./list-recipients.ts";
import { RECIPIENTS_PER_READ } from "./list-recipients.sql.ts";
import { isoOrNull } from "../../shared/iso-times.ts";

const COLUMNS = [
  "contact_id",
  "name",
  "phone",
  "user_id",
  "state",
  "error_code",
  "error_message",
  "sent_at",
  "delivered_at",
  "read_at",
  "failed_at",
  "message_id",
];

function recipientLine(record: RecipientRecord): string {
  const { contact_id, name, address, state, reason, error_message, message_id, ...times } = record;
  const { phone, user_id: userId } = addressParts(address);
  const { sent_at, delivered_at, read_at, failed_at } = times;
  return csvLine([
    contact_id,
    guardCell(name ?? ""),
    // Digits only; in groups, so that spreadsheets keep the plus.
    phone === null ? "" : spacedPhone(phone),
    guardCell(userId ?? ""),
    state,
    reason ?? "",
    guardCell(error_message ?? ""),
    ...[sent_at, delivered_at, read_at, failed_at].map((at) => isoOrNull(at) ?? ""),
    state === "skipped" ? "" : message_id,
  ]);
}

/**
 * A campaign's recipients as the lines of a CSV file, all or those in a state, in pieces of at most 5,000, one read each. Throws
 * `not_found` before the first piece.
 */
export async function* exportRecipients(ctx: Ctx, id: string, state: string | undefined): AsyncGenerator<string> {
  let head = BOM + csvLine(COLUMNS);
  for (let from: number | null = 0; from !== null;) {
    const page: Awaited<ReturnType<typeof listRecipients>> = await listRecipients(ctx, id, {
      state,
      limit: RECIPIENTS_PER_READ,
      from,
    });
    yield head + page.recipients.map(recipientLine).join("");
    head = "";
    from = page.next;
  }
}
