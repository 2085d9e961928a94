import type * as z from "zod";
import type { FactsOf, Read, Reads } from "../../db/facts.ts";
import type { Query } from "../../db/statement.ts";
import type { Ctx } from "../../shared/context.ts";
import { findRevisionConflict } from "../../shared/edit-conflicts.ts";
import { type AppError, notFound } from "../../shared/errors.ts";
import { decideAndCommit, type Decision } from "./decide-and-commit.ts";

interface RecordChange<Row, R extends Reads, Answer> {
  shape: z.ZodType<Answer>;
  kind: string;
  record: Read & Query<Row>;
  reads?: R;
  decide(row: Row, facts: FactsOf<R>): Decision<NoInfer<Answer>> | AppError;
}

export function requireRow<Row>([row]: readonly Row[], kind: string): Row {
  if (row === undefined) throw notFound(kind);
  return row;
}

/**
 * A missing record or an outdated `If-Match` is reported before errors from `decide`, because `decide` needs the
 * current record.
 */
export function changeRecord<Row extends { id: string; revision?: number }, Answer, const R extends Reads = Reads>(
  ctx: Ctx,
  { kind, shape, record, reads, decide }: RecordChange<Row, R, Answer>,
): Promise<Answer> {
  return decideAndCommit(ctx, {
    shape,
    reads: { ...reads, record },
    decide(rows) {
      // TypeScript cannot infer the type of the rows here, because it depends on type parameters.
      const facts = rows as FactsOf<R> & { record: Row[] };
      const [row] = facts.record;
      if (row === undefined) return notFound(kind);
      const conflict = row.revision === undefined ? null : findRevisionConflict(row.revision, ctx.expectedRevisions);
      return conflict ?? decide(row, facts);
    },
  });
}
