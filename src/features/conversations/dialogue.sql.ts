import { sql } from "drizzle-orm";
import type { SQL } from "../../db/statement.ts";

/**
 * True in SQL for messages that ask or answer something, by which waiting and times to an answer go: campaigns and their tests answer
 * nobody, and a reaction asks for nothing. `m` names a row of `messages`.
 */
export const isDialogue = (m: SQL): SQL =>
  sql`(${m}.campaign_id IS NULL AND ${m}.is_test IS NULL AND ${m}.type IS NOT 'reaction')`;
