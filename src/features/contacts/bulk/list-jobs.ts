import { fetchRow, fetchRows } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { notFound } from "../../../shared/errors.ts";
import type { JobRecord } from "./bulk.schemas.ts";
import { selectJob, selectJobs } from "./list-jobs.sql.ts";

/** Throws `not_found`. */
export async function getJob(ctx: Ctx, id: string): Promise<JobRecord> {
  const row = await fetchRow(ctx.db, selectJob(ctx, id));
  if (row === undefined) throw notFound("job");
  return row.result;
}

/** Newest first, one beyond `limit` where there are more. */
export const listJobs = async (
  ctx: Ctx,
  page: { status: JobRecord["status"] | undefined; limit: number; before: string | undefined },
): Promise<JobRecord[]> => (await fetchRows(ctx.db, selectJobs(ctx, page))).map(({ result }) => result);
