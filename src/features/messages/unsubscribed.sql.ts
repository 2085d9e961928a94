import { sql, type SQL } from "drizzle-orm";
import { isNumber, phoneKeyOf } from "../contacts/identity/address-keys.sql.ts";
import { customerServiceWindowStart } from "./messages.customer-service-window.ts";

interface AccountColumns {
  address: SQL;
  wrote_from: SQL;
  wrote_from_key: SQL;
}

export interface OptOutColumns extends AccountColumns {
  is_text: SQL;
  opted_out_at: SQL;
  last_inbound_at: SQL;
}

const isSameNumber = ({ wrote_from_key, address }: AccountColumns): SQL =>
  sql`${wrote_from_key} = ${phoneKeyOf(address)}`;

/**
 * True if the person last wrote from another account than `address`. That message opens no customer service window for
 * `address`. A number and a user id of the same person count as one account.
 */
export const isOtherAccount = (t: AccountColumns): SQL => sql`iif(${isNumber(t.address)},
  ${t.wrote_from_key} IS NOT NULL AND NOT ${isSameNumber(t)},
  ${t.wrote_from_key} IS NULL AND ${t.wrote_from} IS NOT NULL AND ${t.wrote_from} <> ${t.address})`;

export function isUnsubscribed(t: OptOutColumns, now: number): SQL {
  const isWrittenFrom = sql`(${t.wrote_from} = ${t.address} OR ${t.wrote_from_key} IS NOT NULL AND ${isSameNumber(t)})`;
  const since = sql`max(${t.opted_out_at}, ${customerServiceWindowStart(now)})`;
  const isAnswer = sql`(${t.is_text} AND coalesce(${t.last_inbound_at}, 0) > ${since} AND ${isWrittenFrom})`;
  return sql`(${t.opted_out_at} IS NOT NULL AND ${isAnswer} IS NOT TRUE)`;
}
