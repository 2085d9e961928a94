import { override } from "./override.ts";

/** A statement that a database executed. */
export interface Ran {
  database: D1Database;
  sql: string;
  values: unknown[];
  /** The number of the round trip. All statements of a batch have the same number. */
  trip: number;
  rowsRead: number;
  rowsWritten: number;
  /** The database's working time in ms. */
  sqlMs: number;
}

/** Records all work of databases. */
export class Recording {
  readonly statements: Ran[] = [];
  private trips = 0;

  /** Returns the statements recorded since the last call. */
  take(): Ran[] {
    return this.statements.splice(0);
  }

  /** Wraps the database. `run` and `raw` call `all`, because `raw` does not return the costs. */
  of(database: D1Database): D1Database {
    const known = new WeakMap<
      D1PreparedStatement,
      { statement: D1PreparedStatement; sql: string; values: unknown[] }
    >();
    const note = (trip: number, sql: string, values: unknown[], { meta }: D1Result) => {
      const { rows_read: rowsRead, rows_written: rowsWritten, duration: sqlMs } = meta;
      this.statements.push({ database, sql, values, trip, rowsRead, rowsWritten, sqlMs });
      // The sizes of slices adapt to this time. Without it, the number of round trips does not depend on the machine.
      meta.duration = 0;
    };
    const observe = (statement: D1PreparedStatement, sql: string, values: unknown[]): D1PreparedStatement => {
      const all = async <T>() => {
        const result = await statement.all<T>();
        note(this.trips++, sql, values, result);
        return result;
      };
      const observed = override(statement, {
        bind: (...bound: unknown[]) => observe(statement.bind(...bound), sql, bound),
        all,
        run: all,
        raw: async () => (await all<Record<string, unknown>>()).results.map((row) => Object.values(row)),
      });
      known.set(observed, { statement, sql, values });
      return observed;
    };
    return override(database, {
      prepare: (sql: string) => observe(database.prepare(sql), sql, []),
      batch: async (statements: D1PreparedStatement[]) => {
        const originals = statements.map((statement) => known.get(statement) ?? { statement, sql: "", values: [] });
        const results = await database.batch(originals.map(({ statement }) => statement));
        const trip = this.trips++;
        for (const [index, { sql, values }] of originals.entries()) {
          const result = results[index];
          if (result !== undefined) note(trip, sql, values, result);
        }
        return results;
      },
    });
  }
}
