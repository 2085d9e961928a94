import { env as bindings } from "cloudflare:workers";
import { meter } from "../../src/http/response/cost.ts";
import { override } from "./override.ts";
import { type Answer, type Customer, World } from "./world.ts";

interface Fault {
  sql: RegExp;
  /** "before": the call does not arrive. "after": it takes effect, but its response is lost. */
  when: "before" | "after";
  message: string;
}

/** Makes matching database calls fail: `next` one call, `lock` every call until `unlock`. */
export class Faults implements Passage {
  private readonly pending: Fault[] = [];
  private locked: RegExp | null = null;

  next(sql: RegExp, when: Fault["when"] = "before", message = "D1_ERROR: Network connection lost."): void {
    this.pending.push({ sql, when, message });
  }

  lock(sql: RegExp): void {
    this.locked = sql;
  }

  unlock(): void {
    this.locked = null;
  }

  get spent(): boolean {
    return this.pending.length === 0;
  }

  async run<T>(sql: string, work: () => Promise<T>): Promise<T> {
    if (this.locked?.test(sql)) throw new Error("D1_ERROR: database is locked: SQLITE_BUSY");
    const index = this.pending.findIndex((fault) => fault.sql.test(sql));
    const [fault] = index < 0 ? [] : this.pending.splice(index, 1);
    if (fault === undefined) return work();
    if (fault.when === "after") await work();
    throw new Error(fault.message);
  }
}

/** `run` is called for every database call. A batch is one call, and `sql` then contains all its statements. */
export interface Passage {
  run<T>(sql: string, work: () => Promise<T>): Promise<T>;
}

export function passingThrough(passage: Passage, database: D1Database): D1Database {
  const originals = new WeakMap<D1PreparedStatement, { statement: D1PreparedStatement; sql: string }>();
  const wrap = (statement: D1PreparedStatement, sql: string): D1PreparedStatement => {
    const wrapped = override(statement, {
      bind: (...values: unknown[]) => wrap(statement.bind(...values), sql),
      all: () => passage.run(sql, () => statement.all()),
      run: () => passage.run(sql, () => statement.run()),
      raw: () => passage.run(sql, () => statement.raw()),
    });
    originals.set(wrapped, { statement, sql });
    return wrapped;
  };
  return override(database, {
    prepare: (sql: string) => wrap(database.prepare(sql), sql),
    batch: (statements: D1PreparedStatement[]) => {
      const known = statements.map((statement) => originals.get(statement) ?? { statement, sql: "" });
      const batched = known.map(({ statement }) => statement);
      return passage.run(known.map(({ sql }) => sql).join(";\n"), () => database.batch(batched));
    },
  });
}

/** The databases of a world whose calls all go through `passage`. */
export const databasesThrough = (passage: Passage) => ({
  DB: passingThrough(passage, bindings.DB),
  DB_SHARD_1: passingThrough(passage, bindings.DB_SHARD_1),
});

export function faultyWorld(): { world: World; faults: Faults } {
  const faults = new Faults();
  return { world: new World(databasesThrough(faults)), faults };
}

export const steps = {
  accept: /INSERT INTO messages[^]*SELECT refusal, contact_id/,
  claim: /claimed_at = likely/,
  ledger: /INSERT INTO sandbox_deliveries/,
  settle: /INSERT INTO messages[^]*AS moves/,
} as const;

type Counts = Record<string, number>;

export const countsIn = (header: string | null, resource: string): Counts => {
  const entry = new RegExp(`${resource};desc="([^"]*)"`).exec(header ?? "")?.[1] ?? "";
  return Object.fromEntries(entry.split(" ").map((part) => [part.split("=")[0] ?? "", Number(part.split("=")[1])]));
};

export const costOf = ({ headers }: Answer, resource: "d1" | "kv" | "do" | "queue" = "d1"): Counts =>
  countsIn(headers.get("Server-Timing"), resource);

export function countingWorld(): { world: World; counted(): Counts } {
  const { env, header } = meter(bindings);
  const databases = { DB: env.DB, DB_SHARD_1: Reflect.get(env, "DB_SHARD_1") };
  return { world: new World(databases), counted: () => countsIn(header(), "d1") };
}

async function shardOf(customer: Customer): Promise<D1Database> {
  const found = await bindings.DB.prepare("SELECT shard FROM workspaces WHERE id = ?")
    .bind(customer.workspaceId)
    .first<number>("shard");
  return found === 0 ? bindings.DB : bindings.DB_SHARD_1;
}

type Row = Record<string, string | number | null>;

export async function onShard(customer: Customer, sql: string, ...values: unknown[]): Promise<Row[]> {
  const database = await shardOf(customer);
  const { results } = await database
    .prepare(sql)
    .bind(...values)
    .all<Row>();
  return results;
}

export const archive = (customer: Customer, contactId: string, at = Date.now()) =>
  onShard(customer, "UPDATE contacts SET archived_at = ? WHERE id = ?", at, contactId);
