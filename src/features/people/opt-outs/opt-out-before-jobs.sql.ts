import { sql, type SQL } from "drizzle-orm";
import { columns } from "../../../db/columns.ts";
import { failBatchUnless } from "../../../db/guards.ts";
import { jobs } from "../../../db/schema/index.ts";
import { statement } from "../../../db/statement.ts";
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
import type { ContactMerge } from "../merge/decide-merge.ts";

const j = columns(jobs, "j");
const jobRow = columns(jobs);

const isFilterOptOut = (ctx: Ctx): SQL =>
  sql`${jobRow.workspaceId} = ${ctx.workspace.id} AND ${jobRow.status} = 'running' AND ${jobRow.action} = 'opt_out' AND ${jobRow.target} ->> '$.filter' IS NOT NULL`;

/** Raw SQL for INDEXED BY. */
export const selectFilterOptOuts = (ctx: Ctx) =>
  statement(
    filterJob,
    sql`
      SELECT ${j.id} AS id, ${j.target} AS target, ${keyOfSoughtTag} AS tagKey FROM jobs j INDEXED BY jobs_running
      WHERE ${isFilterOptOut(ctx)} ORDER BY ${j.id}`,
  );

const failIfOthers = (ctx: Ctx, filterJobs: readonly FilterJob[]): SQL =>
  failBatchUnless(
    sql`(SELECT json_group_array(${j.id}) FROM (SELECT ${jobRow.id} FROM jobs INDEXED BY jobs_running
      WHERE ${isFilterOptOut(ctx)} ORDER BY ${jobRow.id}) j) = ${JSON.stringify(filterJobs.map(({ id }) => id))}`,
    "rows changed",
  );

const awaitsOptOut = (ctx: Ctx, seq: number): SQL => sql`EXISTS (
  SELECT 1 FROM jobs j INDEXED BY jobs_running CROSS JOIN json_each(${j.target}, '$.seqs') e
  WHERE ${j.workspaceId} = ${ctx.workspace.id} AND ${j.status} = 'running' AND ${j.action} = 'opt_out'
    AND e.value = ${seq} AND e.value < ${j.cursor})`;

function optOutIfFound(ctx: Ctx, job: FilterJob, seq: number): SQL[] {
  const filter = contactFilterOfJob(job);
  if (filter === null) return [];
  const found = sql`SELECT rowid AS seq FROM ${indexHits(ctx, filter, { high: seq - baseSeq(ctx), from: 0, to: 1 })}`;
  const isToCome = sql`${seq} < (SELECT ${jobRow.cursor} FROM jobs WHERE ${jobRow.id} = ${job.id} AND ${jobRow.workspaceId} = ${ctx.workspace.id})`;
  return [insertSuppressions(ctx, suppressionKeysBySeqs(found), ctx.now(), isToCome)];
}

/**
 * After the merge, a running opt-out job does not find the removed contact, and it may already have passed the kept
 * contact. The merge therefore opts out the person itself if the job would have reached one of the contacts later.
 */
export const optOutBeforeJobs = (ctx: Ctx, { kept, removed, filterOptOuts }: ContactMerge): SQL[] => [
  failIfOthers(ctx, filterOptOuts),
  insertSuppressions(ctx, suppressionKeysBySeq(sql`${removed.seq}`), ctx.now(), awaitsOptOut(ctx, removed.seq)),
  ...filterOptOuts.flatMap((job) => [kept, removed].flatMap(({ seq }) => optOutIfFound(ctx, job, seq))),
];
