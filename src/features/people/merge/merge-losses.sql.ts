import { sql } from "drizzle-orm";
import * as z from "zod";
import { type SQL, statement, type Statement } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { fromJson } from "../../../shared/json.ts";
import { memberName } from "../../members/member-names.sql.ts";
import type { ConversationLoss } from "./decide-merge.ts";
import { shownSnooze } from "../../conversations/conversations.sql.ts";
import { type ContactSeqs, conversationPairs, mergedLabelKeys, mergedTeamFields } from "./merge-conversations.sql.ts";

const lossRow = z.object({
  labels: fromJson(z.array(z.string())),
  snoozedUntil: z.number().nullable(),
  assigneeId: z.string().nullable(),
  assigneeName: z.string().nullable(),
});

/** The labels of the removed conversation for which the kept one has no room. */
const lostLabels = sql`(
  SELECT json_group_array(other.value)
  FROM json_each(removed.label_keys) k CROSS JOIN json_each(removed.labels) other ON other.key = k.key
  WHERE k.value NOT IN (SELECT value FROM json_each(${mergedLabelKeys})))`;

/**
 * A row for each pair of conversations that becomes one when the contacts are merged. Raw, because it compares the merged
 * columns in SQL.
 */
export function selectConversationLosses(ctx: Ctx, seqs: ContactSeqs): Statement<ConversationLoss> {
  const until = (column: SQL): SQL => sql`coalesce(${shownSnooze(column, ctx.now())}, 0)`;
  const later = sql`max(${until(sql`kept.snoozed_until`)}, ${until(sql`removed.snoozed_until`)})`;
  const { assignee, snoozedUntil } = mergedTeamFields;
  return statement(
    lossRow,
    sql`
      SELECT lost.*, ${memberName(ctx, sql`lost.assigneeId`)} AS assigneeName FROM (
        SELECT ${lostLabels} AS labels, iif(${later} > coalesce(${snoozedUntil}, 0), ${later}, NULL) AS snoozedUntil,
          iif(removed.assignee_id <> ${assignee}, removed.assignee_id, NULL) AS assigneeId
        FROM ${conversationPairs(ctx, seqs)}) lost`,
  );
}
