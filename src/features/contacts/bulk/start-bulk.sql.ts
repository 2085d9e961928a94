import { sql } from "drizzle-orm";
import * as z from "zod";
import { type SQL, statement, type Statement } from "../../../db/statement.ts";
import type { Ctx } from "../../../shared/context.ts";
import type { BulkAction, JobPatch, JobTarget } from "./bulk.schemas.ts";

const seqRow = z.object({ id: z.string(), seq: z.number() });

export const selectSeqsOfIds = (ctx: Ctx, ids: readonly string[]): Statement<z.infer<typeof seqRow>> =>
  statement(
    seqRow,
    sql`
      SELECT c.id AS id, c.seq AS seq FROM json_each(${JSON.stringify(ids)}) e
      CROSS JOIN contacts c ON c.id = e.value AND c.workspace_id = ${ctx.workspace.id}`,
  );

export interface NewJob {
  id: string;
  action: BulkAction;
  target: JobTarget;
  patch: JobPatch;
  tagKeys: string[];
  /** Behind the `seq` of the newest contact. */
  cursor: number;
  total: number;
}

/** Adds a job where `guard` holds. One without contacts is complete. */
export const insertJob = (ctx: Ctx, { id, action, target, patch, tagKeys, cursor, total }: NewJob, guard: SQL): SQL => {
  const tags = sql`(SELECT json_group_array(t.number) FROM json_each(${JSON.stringify(tagKeys)}) k
    CROSS JOIN tags t ON t.workspace_id = ${ctx.workspace.id} AND t.name_key = k.value AND t.deleted_at IS NULL)`;
  const isEmpty = total === 0;
  return sql`
    INSERT INTO jobs (id, workspace_id, workspace_number, action, target, change, actor, status, cursor, total, created_at, finished_at)
    SELECT ${id}, ${ctx.workspace.id}, ${ctx.workspace.number}, ${action}, ${JSON.stringify(target)},
      json_set(${JSON.stringify(patch)}, '$.tags', json(${tags})), ${JSON.stringify(ctx.actor)}, ${isEmpty ? "completed" : "running"},
      ${cursor}, ${total}, ${ctx.now()}, ${isEmpty ? ctx.now() : null}
    WHERE ${guard}`;
};
