import { fetchRows } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import { requireRow } from "../../commits/change-record.ts";
import type { JobRecord } from "./bulk.schemas.ts";
import { selectJob, selectJobs } from "./list-jobs.sql.ts";

/** Throws `not_found`. */
export const getJob = async (ctx: Ctx, id: string): Promise<JobRecord> =>
  requireRow(await fetchRows(ctx.db, selectJob(ctx, id)), "job");

/** Newest first, up to `limit` + 1 rows. */
export const listJobs = (
  ctx: Ctx,
  page: { status: JobRecord["status"] | undefined; limit: number; before: string | undefined },
): Promise<JobRecord[]> => fetchRows(ctx.db, selectJobs(ctx, page));
