import { sql } from "drizzle-orm";
import * as z from "zod";
import type { SQL } from "../../db/statement.ts";
import { isNumber, phoneKeyOf } from "../contacts/identity/address-keys.sql.ts";
import { customerServiceWindowStart } from "./messages.customer-service-window.ts";

/** The reasons of `sendRefusal`, in the order in which they are checked. */
export const sendRefusalReason = z.enum([
  "connection_inactive",
  "no_address",
  "unsubscribed",
  "marketing_opt_out",
  "window_closed",
]);

export type SendRefusalReason = z.infer<typeof sendRefusalReason>;

/** What decides whether a person who opted out may be answered, as SQL. */
interface OptOutColumns {
  /** True for free text, false for a template. */
  is_text: SQL;
  opted_out_at: SQL;
  last_inbound_at: SQL;
  wrote_from: SQL;
  wrote_from_key: SQL;
  /** Where the message goes. */
  address: SQL;
}

/** What decides whether a message may be sent, as SQL. */
interface RefusalColumns extends OptOutColumns {
  connection_status: SQL;
  channel: SQL;
  /** Null unless the message is marketing. */
  marketing_opted_out_at: SQL;
}

const selectColumns = (columns: object): SQL =>
  sql.join(
    Object.entries(columns).map(([name, value]) => sql`${value} AS ${sql.identifier(name)}`),
    sql`, `,
  );

/** Selects the columns that `isUnsubscribed` reads. */
export const optOutColumns = (columns: OptOutColumns): SQL => selectColumns(columns);

/** Selects the columns that `sendRefusal` and `isOtherAccount` read. */
export const refusalColumns = (columns: RefusalColumns): SQL => selectColumns(columns);

const isSameNumber = sql`wrote_from_key = ${phoneKeyOf(sql`address`)}`;

/** True in SQL if the person last wrote from the address itself, and so asked for answers there. */
const isWrittenFrom = sql`(wrote_from = address OR wrote_from_key IS NOT NULL AND ${isSameNumber})`;

/**
 * True in SQL if the person last wrote from another number or id than the address, as after a merge: no window is open at the address.
 * An id and a number of one person are one account.
 */
export const isOtherAccount = sql`iif(${isNumber(sql`address`)},
  wrote_from_key IS NOT NULL AND NOT ${isSameNumber}, wrote_from_key IS NULL AND wrote_from IS NOT NULL AND wrote_from <> address)`;

/** True in SQL if the person opted out and has not written from this address since, within the window. */
export function isUnsubscribed(now: number): SQL {
  const isAnswer = sql`(is_text AND coalesce(last_inbound_at, 0) > max(opted_out_at, ${customerServiceWindowStart(now)}) AND ${isWrittenFrom})`;
  return sql`(opted_out_at IS NOT NULL AND ${isAnswer} IS NOT TRUE)`;
}

const isWindowClosed = (now: number): SQL =>
  sql`(coalesce(last_inbound_at, 0) <= ${customerServiceWindowStart(now)} OR ${isOtherAccount})`;

/** Why a direct message may not be sent. The first condition that holds is the reason. */
const refusals = (now: number): Record<SendRefusalReason, SQL> => ({
  connection_inactive: sql`connection_status IS NOT 'active'`,
  no_address: sql`address IS NULL`,
  unsubscribed: isUnsubscribed(now),
  marketing_opt_out: sql`marketing_opted_out_at IS NOT NULL`,
  window_closed: sql`channel = 'official' AND is_text AND ${isWindowClosed(now)}`,
});

/** The reason why a message may not be sent at `now`, or NULL. It is checked on acceptance and again on the claim. */
export function sendRefusal(now: number): SQL {
  const conditions = refusals(now);
  const cases = sendRefusalReason.options.map(
    (reason) => sql`WHEN ${conditions[reason]} THEN ${sql.raw(`'${reason}'`)}`,
  );
  return sql`CASE ${sql.join(cases, sql` `)} END`;
}
