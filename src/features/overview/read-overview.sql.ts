// Rows that the overview shows besides the lists of other features.
import * as z from "zod";
import { sql } from "../../db/sql.ts";
import { statement, type Statement } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { DAY_MS, HOUR_MS } from "../../shared/durations.ts";
import { jobRecord } from "../contacts/bulk/bulk.schemas.ts";
import { baseSeq, lastSeq } from "../contacts/contacts.sql.ts";
import { conversationUsername, isWaiting } from "../conversations/conversations.sql.ts";

const waitingRow = z.object({
  id: z.string(),
  contact_name: z.string().nullable(),
  contact_phone: z.string().nullable(),
  contact_username: z.string().nullable(),
  connection_id: z.string(),
  /** What the person wrote last: a campaign may have come since. */
  last_written: z.string().nullable(),
  waiting_since: z.number(),
});

export type WaitingConversation = z.infer<typeof waitingRow>;

/** The conversations that have waited longest for an answer. */
export const selectLongestWaiting = (ctx: Ctx, limit: number): Statement<WaitingConversation> =>
  statement(
    waitingRow,
    sql`
      SELECT v.id AS id, c.name AS contact_name, c.phone AS contact_phone, ${conversationUsername} AS contact_username,
        v.connection_id AS connection_id, v.waiting_since AS waiting_since, (
          SELECT m.body FROM messages m
          WHERE m.contact_seq = v.contact_seq AND m.connection_id = v.connection_id AND m.from_contact AND m.type IS NOT 'reaction'
          ORDER BY m.id DESC LIMIT 1) AS last_written
      FROM conversations v CROSS JOIN contacts c ON c.seq = v.contact_seq
      WHERE ${isWaiting(ctx)} ORDER BY v.waiting_since LIMIT ${limit}`,
  );

const waitingCounts = z.object({ total: z.number(), over_hour: z.number(), over_day: z.number() });

export type WaitingCounts = z.infer<typeof waitingCounts>;

/** How many wait, of the first `most`. */
export const selectWaitingCounts = (ctx: Ctx, most: number): Statement<WaitingCounts> =>
  statement(
    waitingCounts,
    sql`
      SELECT count(*) AS total, count(*) FILTER (WHERE since < ${ctx.now() - HOUR_MS}) AS over_hour,
        count(*) FILTER (WHERE since < ${ctx.now() - DAY_MS}) AS over_day
      FROM (SELECT v.waiting_since AS since FROM conversations v WHERE ${isWaiting(ctx)} ORDER BY v.waiting_since LIMIT ${most})`,
  );

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
