type Resource = "d1" | "kv" | "do" | "queue";

const COUNTERS = {
  d1: ["trips", "statements", "rows_read", "rows_written"],
  kv: ["reads", "writes"],
  do: ["calls"],
  queue: ["sends"],
} as const satisfies Record<Resource, readonly string[]>;

class Tally {
  private readonly counts = new Map<string, number>();

  add(resource: Resource, counter: string, amount = 1): void {
    const key = `${resource}.${counter}`;
    this.counts.set(key, (this.counts.get(key) ?? 0) + amount);
  }

  toHeader(): string {
    return Object.entries(COUNTERS)
      .map(([resource, counters]) => {
        const counts = counters.map((counter) => `${counter}=${this.counts.get(`${resource}.${counter}`) ?? 0}`);
        return `${resource};desc="${counts.join(" ")}"`;
      })
      .join(", ");
  }
}

type Overrides = Record<string, (...args: never[]) => unknown>;

function override<T extends object>(target: T, overrides: Overrides): T {
  return new Proxy(target, {
    get(object, name) {
      if (typeof name === "string" && Object.hasOwn(overrides, name)) return overrides[name];
      const value: unknown = Reflect.get(object, name);
      return typeof value === "function" ? value.bind(object) : value;
    },
  });
}

function meterDatabase(database: D1Database, tally: Tally): D1Database {
  const originals = new WeakMap<D1PreparedStatement, D1PreparedStatement>();
  const count = <T>(results: D1Result<T>[]) => {
    tally.add("d1", "trips");
    for (const { meta } of results) {
      tally.add("d1", "statements");
      tally.add("d1", "rows_read", meta.rows_read);
      tally.add("d1", "rows_written", meta.rows_written);
    }
  };
  const run = async <T>(statement: D1PreparedStatement) => {
    const result = await statement.all<T>();
    count([result]);
    return result;
  };
  const meterStatement = (statement: D1PreparedStatement): D1PreparedStatement => {
    const metered = override(statement, {
      bind: (...values: unknown[]) => meterStatement(statement.bind(...values)),
      all: () => run(statement),
      run: () => run(statement),
      first: async (column?: string) => {
        const row = (await run<Record<string, unknown>>(statement)).results[0];
        return column === undefined ? (row ?? null) : row?.[column];
      },
      // Calls `all`, because the `raw` of D1 does not return how many rows it read. `all` returns rows as objects,
      // so a query must not select two columns with the same name.
      raw: async () => (await run<Record<string, unknown>>(statement)).results.map((row) => Object.values(row)),
    });
    originals.set(metered, statement);
    return metered;
  };
  return override(database, {
    prepare: (query: string) => meterStatement(database.prepare(query)),
    batch: async (statements: D1PreparedStatement[]) => {
      const results = await database.batch(statements.map((statement) => originals.get(statement) ?? statement));
      count(results);
      return results;
    },
  });
}

function meterMethods<T extends object>(binding: T, methods: Record<string, () => void>): T {
  const counted = Object.entries(methods).map(([name, count]) => {
    const method: unknown = Reflect.get(binding, name);
    const call = (...args: unknown[]): unknown => {
      count();
      return typeof method === "function" ? Reflect.apply(method, binding, args) : undefined;
    };
    return [name, call] as const;
  });
  return override(binding, Object.fromEntries(counted));
}

function meterNamespace<T extends object>(namespace: T, tally: Tally): T {
  const getByName: unknown = Reflect.get(namespace, "getByName");
  if (typeof getByName !== "function") return namespace;
  return override(namespace, {
    getByName: (...args: unknown[]) => {
      const stub: unknown = Reflect.apply(getByName, namespace, args);
      if (typeof stub !== "object" || stub === null) return stub;
      return new Proxy(stub, {
        get(object, name) {
          const method: unknown = Reflect.get(object, name);
          if (typeof method !== "function" || name === "then") return method;
          return (...inputs: unknown[]): unknown => {
            tally.add("do", "calls");
            return Reflect.apply(method, object, inputs);
          };
        },
      });
    },
  });
}

// Uses `Reflect.has` and not `Object.hasOwn`, because bindings inherit their methods.
const isD1 = (binding: object): binding is D1Database =>
  Reflect.has(binding, "prepare") && Reflect.has(binding, "batch");

function meterBinding(binding: unknown, tally: Tally): unknown {
  if (typeof binding !== "object" || binding === null) return binding;
  if (isD1(binding)) return meterDatabase(binding, tally);
  if (Reflect.has(binding, "idFromName")) return meterNamespace(binding, tally);
  if (Reflect.has(binding, "sendBatch")) {
    const send = () => tally.add("queue", "sends");
    return meterMethods(binding, { send, sendBatch: send });
  }
  if (Reflect.has(binding, "getWithMetadata")) {
    const read = () => tally.add("kv", "reads");
    const write = () => tally.add("kv", "writes");
    return meterMethods(binding, { get: read, getWithMetadata: read, list: read, put: write, delete: write });
  }
  return binding;
}

export function meter(env: Env): { env: Env; header(): string } {
  const tally = new Tally();
  const metered = new Map<string | symbol, unknown>();
  const proxy = new Proxy(env, {
    get(target, name) {
      if (!metered.has(name)) metered.set(name, meterBinding(Reflect.get(target, name), tally));
      return metered.get(name);
    },
  });
  return { env: proxy, header: () => tally.toHeader() };
}
