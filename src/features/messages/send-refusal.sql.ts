import * as z from "zod";
import { sql } from "../../db/sql.ts";
import type { SQL } from "../../db/statement.ts";
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

/**
 * The reason why a direct message may not go at `now`, or NULL: asked when it is accepted and again when it is claimed. Expects
 * columns `is_text`, `connection_status`, `channel`, `address`, `opted_out_at`, `marketing_opted_out_at` (null unless it is
 * marketing), `last_inbound_at`. A person who wrote again after an opt-out may be answered in free text while the window is open.
 */
export function sendRefusal(now: number): SQL {
  const windowStart = customerServiceWindowStart(now);
  return sql`CASE
    WHEN connection_status IS NOT 'active' THEN 'connection_inactive'
    WHEN address IS NULL THEN 'no_address'
    WHEN opted_out_at IS NOT NULL AND NOT (is_text AND coalesce(last_inbound_at, 0) > max(opted_out_at, ${windowStart})) THEN 'unsubscribed'
    WHEN marketing_opted_out_at IS NOT NULL THEN 'marketing_opt_out'
    WHEN channel = 'official' AND is_text AND coalesce(last_inbound_at, 0) <= ${windowStart} THEN 'window_closed'
  END`;
}
