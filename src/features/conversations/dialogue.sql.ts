import { sql } from "drizzle-orm";
import type { ColumnsOf } from "../../db/columns.ts";
import type { messages } from "../../db/schema/index.ts";
import type { SQL } from "../../db/statement.ts";

/**
 * True in SQL for messages that count for waiting and reply times. Campaigns and their tests are not replies, and a reaction needs
 * none. `m` is a row of `messages`.
 */
export const isDialogue = (m: ColumnsOf<typeof messages, "campaignId" | "isTest" | "type">): SQL =>
  sql`(${m.campaignId} IS NULL AND ${m.isTest} IS NULL AND ${m.type} IS NOT 'reaction')`;
