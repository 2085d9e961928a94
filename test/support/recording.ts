import { env as bindings } from "cloudflare:workers";
import { override } from "./override.ts";
import { HeldQueues } from "./queues.ts";
import { World } from "./world.ts";

/** A statement that a database was given. */
export interface Ran {
  database: D1Database;
  sql: string;
  values: unknown[];
  /** Statements of one round trip share its number. */
  trip: number;
  rowsRead: number;
  rowsWritten: number;
  /** How long the database worked. */
  sqlMs: number;
}

/** Writes down everything that databases are made to do. */
export class Recording {
  readonly statements: Ran[] = [];
  private trips = 0;

  /** What ran since this was last called. */
  take(): Ran[] {
    return this.statements.splice(0);
  }

  /** The database, observed. Only `all` tells what it cost, so the other calls are answered from it. */
  of(database: D1Database): D1Database {
    const known = new WeakMap<
      D1PreparedStatement,
      { statement: D1PreparedStatement; sql: string; values: unknown[] }
    >();
    const note = (trip: number, sql: string, values: unknown[], { meta }: D1Result) => {
      const { rows_read: rowsRead, rows_written: rowsWritten, duration: sqlMs } = meta;
      this.statements.push({ database, sql, values, trip, rowsRead, rowsWritten, sqlMs });
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

/** A world that writes down every statement its databases are given, in requests and in jobs. */
export function recordedWorld(queues = new HeldQueues()): { world: World; recording: Recording } {
  const recording = new Recording();
  const databases = { DB: recording.of(bindings.DB), DB_SHARD_1: recording.of(bindings.DB_SHARD_1) };
  return { world: new World(databases, queues), recording };
}
