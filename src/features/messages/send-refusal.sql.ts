import { sql } from "drizzle-orm";
import * as z from "zod";
import type { SQL } from "../../db/statement.ts";
import { isNumber, phoneKeyOf } from "../contacts/address-keys.sql.ts";
import { customerServiceWindowStart } from "./messages.customer-service-window.ts";

/** The reasons of `sendRefusal`. */
export const sendRefusalReason = z.enum([
  "connection_inactive",
  "no_address",
  "unsubscribed",
  "marketing_opt_out",
  "window_closed",
]);

export type SendRefusalReason = z.infer<typeof sendRefusalReason>;

const isSameNumber = sql`wrote_from_key = ${phoneKeyOf(sql`address`)}`;

/** True in SQL where the person last wrote from the address itself: they asked for answers there. */
const isWrittenFrom = sql`(wrote_from = address OR wrote_from_key IS NOT NULL AND ${isSameNumber})`;

/**
 * True in SQL where the person last wrote from another number, or another id, than the address is, as after a merge: no window is open
 * at it. An id and a number of one person are one account.
 */
export const isOtherAccount = sql`iif(${isNumber(sql`address`)},
  wrote_from_key IS NOT NULL AND NOT ${isSameNumber}, wrote_from_key IS NULL AND wrote_from IS NOT NULL AND wrote_from <> address)`;

/**
 * True in SQL if the person opted out and has not written from this address since, within the window. Expects `is_text`, `opted_out_at`,
 * `last_inbound_at`, `wrote_from`, `wrote_from_key` and `address`.
 */
export function isUnsubscribed(now: number): SQL {
  const isAnswer = sql`(is_text AND coalesce(last_inbound_at, 0) > max(opted_out_at, ${customerServiceWindowStart(now)}) AND ${isWrittenFrom})`;
  return sql`(opted_out_at IS NOT NULL AND ${isAnswer} IS NOT TRUE)`;
}

/**
 * The reason why a direct message may not go at `now`, or NULL: asked when it is accepted and again when it is claimed. Expects
 * columns `is_text`, `connection_status`, `channel`, `address`, `opted_out_at`, `marketing_opted_out_at` (null unless it is
 * marketing), `last_inbound_at`, `wrote_from`, `wrote_from_key`.
 */
export function sendRefusal(now: number): SQL {
  const isClosed = sql`(coalesce(last_inbound_at, 0) <= ${customerServiceWindowStart(now)} OR ${isOtherAccount})`;
  return sql`CASE
    WHEN connection_status IS NOT 'active' THEN 'connection_inactive'
    WHEN address IS NULL THEN 'no_address'
    WHEN ${isUnsubscribed(now)} THEN 'unsubscribed'
    WHEN marketing_opted_out_at IS NOT NULL THEN 'marketing_opt_out'
    WHEN channel = 'official' AND is_text AND ${isClosed} THEN 'window_closed'
  END`;
}
