// Facts are the rows that a request reads to decide what it writes. The batch with the writes reads the same
// rows again and fails if they have changed in between.
import { sql, type SQL } from "drizzle-orm";
import * as z from "zod";
import { type BuiltQuery, isBuilt, renderBuilt, type Select, selectedNames } from "./drizzle-internals.ts";
import { failBatchUnless, hasGuardFailed } from "./guards.ts";
import { statement, type Statement } from "./statement.ts";

export type Read = Select | Statement<unknown>;

export type Reads = Record<string, Read | undefined>;

type RowsOf<R> = R extends BuiltQuery<infer Rows> ? Rows : R extends Statement<infer Row> ? Row[] : never;

export type FactsOf<R extends Reads> = { [Name in keyof R]: RowsOf<NonNullable<R[Name]>> };

const textRow = z.object({ rows: z.string() });

interface Fact {
  name: string;
  query: Statement<z.infer<typeof textRow>>;
  rowsIn(json: string): unknown;
}

// Without MATERIALIZED, `json_object` would insert a column that a JSON function has built as a nested object.
// With it, the column stays text, as in the result of the original query.
function rawFact(name: string, { sql: raw, columns, read }: Statement<unknown>, isChecked: boolean): Fact {
  const pairs = columns.map((column) => sql`${sql.raw(`'${column}'`)}, ${sql.identifier(column)}`);
  return {
    name,
    query: statement(
      textRow,
      sql`WITH fact AS MATERIALIZED (${raw}) SELECT json_group_array(json_object(${sql.join(pairs, sql`, `)})) AS rows FROM fact`,
    ),
    rowsIn: (json) => read(JSON.parse(json), isChecked),
  };
}

/** Gives the columns new names (`c0`, `c1`, …), because a join can select two columns with the same name. */
function builtFact(name: string, select: Select): Fact {
  const columns = sql.raw(
    selectedNames(select)
      .map((_, index) => `c${index}`)
      .join(", "),
  );
  return {
    name,
    query: statement(
      textRow,
      sql`WITH fact (${columns}) AS MATERIALIZED ${select} SELECT json_group_array(json_array(${columns})) AS rows FROM fact`,
    ),
    rowsIn: (json) => renderBuilt(select).read(JSON.parse(json)),
  };
}

const NO_ROWS = "[]";

export const haveFactsChanged = (error: unknown): boolean => hasGuardFailed(error, "facts changed");

export function prepareFacts<const R extends Reads>(reads: R, isChecked = true) {
  const facts = Object.entries(reads).flatMap(([name, read]) => {
    if (read === undefined) return [];
    return [isBuilt(read) ? builtFact(name, read) : rawFact(name, read, isChecked)];
  });
  const none = Object.fromEntries(Object.keys(reads).map((name) => [name, []]));
  return {
    queries: facts.map(({ query }) => query),
    noRows: facts.map(() => NO_ROWS),
    rowsOf(texts: readonly string[]): FactsOf<R> {
      const rows = facts.map(({ name, rowsIn }, index) => [name, rowsIn(texts[index] ?? NO_ROWS)]);
      // Safe: the object has the same keys as the reads.
      return { ...none, ...Object.fromEntries(rows) } as FactsOf<R>;
    },
    guard(texts: readonly string[]): SQL[] {
      if (facts.length === 0) return [];
      const same = facts.map(({ query }, index) => sql`(${query.sql}) IS ${texts[index]}`);
      return [failBatchUnless(sql.join(same, sql` AND `), "facts changed")];
    },
  };
}
