// Rows of the overview beyond the lists of other features.
import { and, count, desc, eq, gte, sql } from "drizzle-orm";
import * as z from "zod";
import { deadLetters, jobs } from "../../db/schema/index.ts";
import { statement, type Statement } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { baseSeq, lastSeq } from "../contacts/contacts.sql.ts";

/** Failed jobs are searched among this many of the latest jobs. */
const JOBS_LOOKED_AT = 50;

/** The latest failed jobs created since `since`. */
export function selectFailedJobs({ db, workspace }: Ctx, since: number, limit: number) {
  const latest = db
    .select()
    .from(jobs)
    .where(eq(jobs.workspaceId, workspace.id))
    .orderBy(desc(jobs.id))
    .limit(JOBS_LOOKED_AT)
    .as("latest");
  return db
    .select({ id: latest.id, action: latest.action, finishedAt: latest.finishedAt })
    .from(latest)
    .where(and(eq(latest.status, "failed"), gte(latest.createdAt, since)))
    .limit(limit);
}

/** Provider events that could not be processed, up to `most`. */
export function countDeadEvents({ db, workspace }: Ctx, most: number) {
  const events = db
    .select({ id: deadLetters.id })
    .from(deadLetters)
    .where(eq(deadLetters.workspaceId, workspace.id))
    .limit(most)
    .as("events");
  return db.select({ count: count() }).from(events);
}

const startedRow = z.object({
  contact: z.number(),
  message: z.number(),
  template: z.number(),
  webhook: z.number(),
});

/** The completed onboarding steps of the workspace, each 1 or 0. Raw, because the builder always selects from a table. */
export const selectStarted = (ctx: Ctx): Statement<z.infer<typeof startedRow>> => {
  const hasRow = (table: string, condition = sql`TRUE`) =>
    sql`EXISTS (SELECT 1 FROM ${sql.identifier(table)} t WHERE t.workspace_id = ${ctx.workspace.id} AND ${condition})`;
  // A conversation without messages.
  const hasMessage = hasRow("conversations", sql`t.last_message_id <> ''`);
  return statement(
    startedRow,
    sql`
      SELECT ${lastSeq(ctx)} > ${baseSeq(ctx)} AS contact, ${hasMessage} AS message,
        ${hasRow("templates")} AS template, ${hasRow("webhooks")} AS webhook`,
  );
};
