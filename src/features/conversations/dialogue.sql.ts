import { sql } from "drizzle-orm";
import type { SQL } from "../../db/statement.ts";

/**
 * True in SQL for messages that count for waiting and reply times. Campaigns and their tests are not replies, and a reaction needs
 * none. `m` is a row of `messages`.
 */
export const isDialogue = (m: SQL): SQL =>
  sql`(${m}.campaign_id IS NULL AND ${m}.is_test IS NULL AND ${m}.type IS NOT 'reaction')`;
