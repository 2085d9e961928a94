// Opt-outs by jobs hold for people whose contacts are merged before the jobs get to them.
import { sql } from "drizzle-orm";
import { columns } from "../../../db/columns.ts";
import { jobs } from "../../../db/schema/index.ts";
import { type SQL, statement, type Statement } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { baseSeq } from "../../contacts/contacts.sql.ts";
import {
  insertSuppressions,
  suppressionKeysBySeq,
  suppressionKeysBySeqs,
} from "../../contacts/opt-outs/opt-outs.sql.ts";
import { indexHits } from "../../contacts/search/search-contacts.sql.ts";
import { contactFilterOfJob, type FilterJob, filterJob } from "../../contacts/bulk/bulk.schemas.ts";
import { keyOfSoughtTag } from "../../contacts/bulk/run-bulk.sql.ts";

const j = columns(jobs, "j");
const jobRow = columns(jobs);

/** True in SQL of the workspace's running jobs that opt out everybody whom a filter finds. */
const isFilterOptOut = (ctx: Ctx): SQL =>
  sql`${jobRow.workspaceId} = ${ctx.workspace.id} AND ${jobRow.status} = 'running' AND ${jobRow.action} = 'opt_out' AND ${jobRow.target} ->> '$.filter' IS NOT NULL`;

/** The running jobs that opt out by a filter. Raw for INDEXED BY. */
export const selectFilterOptOuts = (ctx: Ctx): Statement<FilterJob> =>
  statement(
    filterJob,
    sql`
      SELECT ${j.id} AS id, ${j.target} AS target, ${keyOfSoughtTag} AS tagKey FROM jobs j INDEXED BY jobs_running
      WHERE ${isFilterOptOut(ctx)} ORDER BY ${j.id}`,
  );

/** Fails the batch where the running jobs that `selectFilterOptOuts` gives are not these any more. */
const failIfOthers = (ctx: Ctx, filterJobs: readonly FilterJob[]): SQL => sql`
  SELECT iif((SELECT json_group_array(${j.id}) FROM (SELECT ${jobRow.id} FROM jobs INDEXED BY jobs_running
    WHERE ${isFilterOptOut(ctx)} ORDER BY ${jobRow.id}) j) = ${JSON.stringify(filterJobs.map(({ id }) => id))}, 0, json('changed'))`;

/** True in SQL where a running job is yet to opt out the contact `seq`, which it was given by id. */
const awaitsOptOut = (ctx: Ctx, seq: number): SQL => sql`EXISTS (
  SELECT 1 FROM jobs j INDEXED BY jobs_running CROSS JOIN json_each(${j.target}, '$.seqs') e
  WHERE ${j.workspaceId} = ${ctx.workspace.id} AND ${j.status} = 'running' AND ${j.action} = 'opt_out'
    AND e.value = ${seq} AND e.value < ${j.cursor})`;

/** Opts out the contact `seq` where its turn in the job is yet to come and the job's filter finds it. */
function optOutIfFound(ctx: Ctx, job: FilterJob, seq: number): SQL[] {
  const filter = contactFilterOfJob(job);
  if (filter === null) return [];
  const found = sql`SELECT rowid AS seq FROM ${indexHits(ctx, filter, { high: seq - baseSeq(ctx), from: 0, to: 1 })}`;
  const isToCome = sql`${seq} < (SELECT ${jobRow.cursor} FROM jobs WHERE ${jobRow.id} = ${job.id} AND ${jobRow.workspaceId} = ${ctx.workspace.id})`;
  return [insertSuppressions(ctx, suppressionKeysBySeqs(found), ctx.now(), isToCome)];
}

/**
 * Opts out two contacts that are about to be merged, where jobs are yet to get to them. The jobs would not find the removed contact
 * by its id any more, and by a filter they may find neither: the kept one may be done already, or fit no longer.
 */
export const optOutBeforeJobs = (
  ctx: Ctx,
  { kept, removed }: { kept: number; removed: number },
  filterJobs: readonly FilterJob[],
): SQL[] => [
  failIfOthers(ctx, filterJobs),
  insertSuppressions(ctx, suppressionKeysBySeq(sql`${removed}`), ctx.now(), awaitsOptOut(ctx, removed)),
  ...filterJobs.flatMap((job) => [kept, removed].flatMap((seq) => optOutIfFound(ctx, job, seq))),
];
