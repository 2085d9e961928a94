// Rows that the overview shows besides the lists of other features.
import * as z from "zod";
import { sql } from "../../db/sql.ts";
import { statement, type Statement } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { jobRecord } from "../contacts/bulk/bulk.schemas.ts";
import { baseSeq, lastSeq } from "../contacts/contacts.sql.ts";

const failedJob = jobRecord.pick({ id: true, action: true, finished_at: true });

export type FailedJob = z.infer<typeof failedJob>;

/** Failed jobs are found among so many of the latest. */
const JOBS_LOOKED_AT = 50;

/** The latest jobs that failed, of those made since `since`. */
export const selectFailedJobs = (ctx: Ctx, since: number, limit: number): Statement<FailedJob> =>
  statement(
    failedJob,
    sql`
      SELECT id, action, finished_at FROM (
        SELECT id, action, finished_at, status, created_at FROM jobs
        WHERE workspace_id = ${ctx.workspace.id} ORDER BY id DESC LIMIT ${JOBS_LOOKED_AT})
      WHERE status = 'failed' AND created_at >= ${since} LIMIT ${limit}`,
  );

const countRow = z.object({ count: z.number() });

/** Events of providers that could not be processed, up to `most`. */
export const countDeadEvents = (ctx: Ctx, most: number): Statement<z.infer<typeof countRow>> =>
  statement(
    countRow,
    sql`SELECT count(*) AS count FROM (SELECT 1 FROM dead_letters WHERE workspace_id = ${ctx.workspace.id} LIMIT ${most})`,
  );

const startedRow = z.object({
  contact: z.number(),
  message: z.number(),
  template: z.number(),
  webhook: z.number(),
});

/** The first steps that were taken in the workspace's own data, each 1 or 0. */
export const selectStarted = (ctx: Ctx): Statement<z.infer<typeof startedRow>> => {
  const hasRow = (table: string, condition = sql`TRUE`) =>
    sql`EXISTS (SELECT 1 FROM ${sql.identifier(table)} t WHERE t.workspace_id = ${ctx.workspace.id} AND ${condition})`;
  // A conversation is empty until something is written in it.
  const hasMessage = hasRow("conversations", sql`t.last_message_id <> ''`);
  return statement(
    startedRow,
    sql`
      SELECT ${lastSeq(ctx)} > ${baseSeq(ctx)} AS contact, ${hasMessage} AS message,
        ${hasRow("templates")} AS template, ${hasRow("webhooks")} AS webhook`,
  );
};
