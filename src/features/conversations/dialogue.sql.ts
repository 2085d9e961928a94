import { sql } from "drizzle-orm";
import type { ColumnsOf } from "../../db/columns.ts";
import type { messages } from "../../db/schema/index.ts";
import type { SQL } from "../../db/statement.ts";

/**
 * True in SQL for messages that ask or answer something, by which waiting and times to an answer go: campaigns and their tests answer
 * nobody, and a reaction asks for nothing. `m` names a row of `messages`.
 */
export const isDialogue = (m: ColumnsOf<typeof messages, "campaignId" | "isTest" | "type">): SQL =>
  sql`(${m.campaignId} IS NULL AND ${m.isTest} IS NULL AND ${m.type} IS NOT 'reaction')`;
