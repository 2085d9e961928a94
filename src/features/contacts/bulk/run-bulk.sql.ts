import { and, eq, sql, type SQL } from "drizzle-orm";
import * as z from "zod";
import { columns } from "../../../db/columns.ts";
import { failBatchUnless } from "../../../db/guards.ts";
import { contacts, jobs, tags } from "../../../db/schema/index.ts";
import { statement } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { appendLongEvents } from "../../events/append-events.sql.ts";
import { updatedContactEvents } from "../contact-events.sql.ts";
import { appendSnapshotEvents } from "../contact-snapshots.sql.ts";
import { insertSuppressions, suppressionKeysBySeqs } from "../opt-outs/opt-outs.sql.ts";
import { currentContactSeq, currentContactSeqs } from "../identity/identify-people.sql.ts";
import { MAX_TAGS } from "../upsert/upsert-plan.ts";
import { changedRow, updateRows } from "../upsert/planned-contacts.sql.ts";
import { type JobError, type RunningJob, runningJob } from "./bulk.schemas.ts";

const c = columns(contacts, "c");
const j = columns(jobs, "j");
const t = columns(tags, "t");
const tag = columns(tags);
const jobRow = columns(jobs);

export const keyOfSoughtTag = sql`(
  SELECT ${tag.nameKey} FROM tags
  WHERE ${tag.workspaceId} = ${j.workspaceId} AND ${tag.number} = ${j.target} ->> '$.filter.tagNumber' AND ${tag.deletedAt} IS NULL)`;

export const selectNextJob = (ctx: Ctx) =>
  statement(
    runningJob,
    sql`
      SELECT ${j.id} AS id, ${j.action} AS action, ${j.target} AS target, ${j.change} AS change, ${j.actor} AS actor, ${j.cursor} AS cursor,
        ${keyOfSoughtTag} AS tagKey
      FROM jobs j INDEXED BY jobs_running WHERE ${j.workspaceId} = ${ctx.workspace.id} AND ${j.status} = 'running' ORDER BY ${j.id} LIMIT 1`,
  );

const hitRow = z.object({ seq: z.number() });

export const selectHits = (hits: SQL) => statement(hitRow, hits);

export const hitsAmong = (seqs: readonly number[], below: number, limit: number): SQL => sql`
  SELECT value AS seq FROM json_each(${JSON.stringify(seqs)}) WHERE value < ${below} ORDER BY value DESC LIMIT ${limit}`;

/** Raw SQL: CROSS JOIN makes SQLite read the numbers first and look up each one in `tags`. */
const liveTags = (ctx: Ctx, numbers: readonly number[]): SQL => sql`
  (SELECT count(*) FROM json_each(${JSON.stringify(numbers)}) n
    CROSS JOIN tags t ON ${t.workspaceId} = ${ctx.workspace.id} AND ${t.number} = n.value AND ${t.deletedAt} IS NULL)`;

const tagCountRow = z.object({ count: z.number() });

export const countLiveTags = (ctx: Ctx, numbers: readonly number[]) =>
  statement(tagCountRow, sql`SELECT ${liveTags(ctx, numbers)} AS count`);

export const failIfTagsGone = (ctx: Ctx, numbers: readonly number[]): SQL =>
  failBatchUnless(sql`${liveTags(ctx, numbers)} = ${numbers.length}`, "rows changed");

/** Fails the batch if another run has moved the job's cursor. Raw SQL: the builder has no SELECT without a table. */
export const failIfJobMoved = (ctx: Ctx, { id }: RunningJob, cursor: number): SQL =>
  failBatchUnless(
    sql`EXISTS (SELECT 1 FROM jobs WHERE ${jobRow.id} = ${id} AND ${jobRow.workspaceId} = ${ctx.workspace.id}
      AND ${jobRow.status} = 'running' AND ${jobRow.cursor} = ${cursor})`,
    "rows changed",
  );

const tagsWith = (numbers: string): SQL => sql`(SELECT json_group_array(number) FROM (
  SELECT value AS number FROM json_each(${c.tags}) UNION SELECT value FROM json_each(${numbers})))`;

const tagsWithout = (numbers: string): SQL => sql`(
  SELECT json_group_array(value) FROM json_each(${c.tags}) WHERE value NOT IN (SELECT value FROM json_each(${numbers})))`;

function changedColumns(ctx: Ctx, { action, change }: RunningJob): Parameters<typeof changedRow>[1] {
  const numbers = JSON.stringify(change.tags);
  switch (action) {
    case "add_tags":
      return { tags: tagsWith(numbers) };
    case "remove_tags":
      return { tags: tagsWithout(numbers) };
    case "set":
      return {
        ...Object.fromEntries(Object.entries(change.set).map(([name, value]) => [name, sql`${value}`])),
        custom_fields: sql`json_patch(${c.customFields}, ${JSON.stringify(change.values)})`,
        folded: sql`json_patch(${c.folded}, ${JSON.stringify(change.folded)})`,
      };
    case "archive":
      return { archived_at: sql`coalesce(${c.archivedAt}, ${ctx.now()})` };
    case "opt_out":
      return {};
  }
}

const isChangeable = ({ action, change }: RunningJob): SQL =>
  action === "add_tags"
    ? sql`json_array_length(${tagsWith(JSON.stringify(change.tags))}) <= max(${MAX_TAGS}, json_array_length(${c.tags}))`
    : sql`TRUE`;

/** Both statements use the same SELECT, so that the events describe the rows that are stored. */
export function changeContacts(ctx: Ctx, job: RunningJob, seqs: readonly number[]): SQL[] {
  if (job.action === "opt_out") {
    const keys = suppressionKeysBySeqs(currentContactSeqs(seqs));
    return [insertSuppressions(ctx, keys, ctx.now(), sql`TRUE`), ...appendSnapshotEvents(ctx)];
  }
  const rows = sql`
    SELECT ${changedRow(ctx, changedColumns(ctx, job))} FROM json_each(${JSON.stringify(seqs)}) e
    CROSS JOIN contacts c ON ${c.seq} = e.value AND ${c.workspaceId} = ${ctx.workspace.id} WHERE ${isChangeable(job)}`;
  return [appendLongEvents(ctx, updatedContactEvents(ctx, rows)), updateRows(rows)];
}

/** Must run before the changes, because it adds to `done` the number of contacts that they will change. */
export function moveJob(
  ctx: Ctx,
  job: RunningJob,
  { seqs, cursor, isLast }: { seqs: readonly number[]; cursor: number; isLast: boolean },
) {
  // An opt-out of a merged contact applies to the contact into which it was merged. Other actions skip merged contacts.
  const seq = job.action === "opt_out" ? currentContactSeq(sql`e.value`) : sql`e.value`;
  const changeable = sql`(
    SELECT count(*) FROM json_each(${JSON.stringify(seqs)}) e
    CROSS JOIN contacts c ON ${c.seq} = ${seq} AND ${c.workspaceId} = ${ctx.workspace.id} WHERE ${isChangeable(job)})`;
  const processed = sql`${jobs.done} + ${jobs.failed} + ${seqs.length}`;
  return ctx.db
    .update(jobs)
    .set({
      cursor,
      done: sql`${jobs.done} + n.changeable`,
      failed: sql`${jobs.failed} + ${seqs.length} - n.changeable`,
      total: isLast ? processed : sql`max(${jobs.total}, ${processed})`,
      ...(isLast && { status: "completed" as const, finishedAt: ctx.now() }),
    })
    .from(sql`(SELECT ${changeable} AS changeable) n`)
    .where(and(eq(jobs.id, job.id), eq(jobs.workspaceId, ctx.workspace.id)));
}

export const markJobFailed = (ctx: Ctx, { id }: RunningJob, error: JobError) =>
  ctx.db
    .update(jobs)
    .set({ status: "failed", error, finishedAt: ctx.now() })
    .where(and(eq(jobs.id, id), eq(jobs.workspaceId, ctx.workspace.id), eq(jobs.status, "running")));
