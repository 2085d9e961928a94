import * as z from "zod";
import { sql } from "../../../db/sql.ts";
import { type SQL, statement, type Statement } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { fromJson } from "../../../shared/json.ts";
import { jobRecord, type JobRecord } from "./bulk.schemas.ts";

const jobJson = sql`json_object(
  'id', id, 'action', action, 'status', status, 'total', total, 'done', done, 'failed', failed, 'error', json(error),
  'created_at', created_at, 'finished_at', finished_at)`;

/** One row with the job as JSON in `result`, for `jobRecord`; or none. */
export const jobAsJson = (ctx: Ctx, id: string): SQL =>
  sql`SELECT ${jobJson} AS result FROM jobs WHERE id = ${id} AND workspace_id = ${ctx.workspace.id}`;

const jobRow = z.object({ result: fromJson(jobRecord) });

export const selectJob = (ctx: Ctx, id: string): Statement<z.infer<typeof jobRow>> =>
  statement(jobRow, jobAsJson(ctx, id));

/** Newest first, one row beyond `limit`. */
export const selectJobs = (
  ctx: Ctx,
  { status, limit, before }: { status: JobRecord["status"] | undefined; limit: number; before: string | undefined },
): Statement<z.infer<typeof jobRow>> =>
  statement(
    jobRow,
    sql`
      SELECT ${jobJson} AS result FROM jobs WHERE workspace_id = ${ctx.workspace.id}
      ${before === undefined ? sql`` : sql`AND id < ${before}`}
      ${status === undefined ? sql`` : sql`AND status = ${sql.raw(`'${status}'`)}`} ORDER BY id DESC LIMIT ${limit + 1}`,
  );
