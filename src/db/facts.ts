// Reads on which a decision is based. The batch that applies the decision compares them again and fails if a row has
// changed.
import { sql } from "drizzle-orm";
import * as z from "zod";
import { unchecked } from "./rows.ts";
import { type BuiltQuery, type SQL, statement, type Statement } from "./statement.ts";

/** A select of Drizzle's builder with one level of fields. */
interface Select extends BuiltQuery {
  as(alias: string): { readonly _: { readonly selectedFields: object } };
}

export type Read = Select | Statement<unknown>;

/** Queries by name. An undefined one has no rows. */
export type Reads = Record<string, Read | undefined>;

type RowsOf<R> = R extends BuiltQuery<infer Rows> ? Rows : R extends Statement<infer Row> ? Row[] : never;

/** The rows of each query, by its name. */
export type FactsOf<R extends Reads> = { [Name in keyof R]: RowsOf<NonNullable<R[Name]>> };

const textRow = z.object({ rows: z.string() });

interface Fact {
  name: string;
  /** Returns all rows of the query as one JSON text. */
  query: Statement<z.infer<typeof textRow>>;
  rowsIn(json: string): unknown;
}

const isSelect = (read: Read): read is Select => Object.hasOwn(read, "_");

// Materialized: otherwise JSON columns would be nested as JSON instead of text.

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

/** Columns are renamed, because a join may select two with one name. */
function builtFact(name: string, select: Select): Fact {
  const fields = Object.keys(select.as("fact")._.selectedFields);
  const columns = sql.raw(fields.map((_, index) => `c${index}`).join(", "));
  return {
    name,
    query: statement(
      textRow,
      sql`WITH fact (${columns}) AS MATERIALIZED ${select} SELECT json_group_array(json_array(${columns})) AS rows FROM fact`,
    ),
    rowsIn: (json) => select.prepare().mapResult({ results: JSON.parse(json) }, true),
  };
}

const NO_ROWS = "[]";

/** The path in the error message of a batch whose guard failed. No other statement has such a path. */
const CHANGED = "facts changed";

/** True if a batch failed because the rows of its reads had changed. It changed nothing, and the decision may be made again. */
export const haveFactsChanged = (error: unknown): boolean =>
  error instanceof Error && error.message.includes(`bad JSON path: '${CHANGED}'`);

/** Reads as statements for a batch, and their results as rows and as a guard. `isChecked` compares raw rows with their shape. */
export function prepareFacts<const R extends Reads>(reads: R, isChecked = true) {
  const facts = Object.entries(reads).flatMap(([name, read]) => {
    if (read === undefined) return [];
    return [isSelect(read) ? builtFact(name, read) : rawFact(name, read, isChecked)];
  });
  const none = Object.fromEntries(Object.keys(reads).map((name) => [name, []]));
  return {
    queries: facts.map(({ query }) => query),
    /** The texts of reads that returned no rows. */
    noRows: facts.map(() => NO_ROWS),
    /** The rows of each read. Drizzle's own types name them. */
    rowsOf(texts: readonly string[]): FactsOf<R> {
      const rows = facts.map(({ name, rowsIn }, index) => [name, rowsIn(texts[index] ?? NO_ROWS)]);
      return unchecked.parse({ ...none, ...Object.fromEntries(rows) });
    },
    /** Fails the batch, see `haveFactsChanged`, unless the reads still return these texts. */
    guard(texts: readonly string[]): SQL[] {
      if (facts.length === 0) return [];
      const same = facts.map(({ query }, index) => sql`(${query.sql}) IS ${texts[index]}`);
      return [sql`SELECT iif(${sql.join(same, sql` AND `)}, 0, json_extract('{}', ${CHANGED}))`];
    },
  };
}
