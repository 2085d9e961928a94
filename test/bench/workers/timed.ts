// The product, with the working time of its databases. Adds up `meta.duration` of all statements.
import product, { StatusInbox as ProductInbox } from "../../../src/index.ts";

// The Durable Objects.
export * from "../../../src/index.ts";

const spent = { sqlMs: 0, longestMs: 0, batches: 0 };

function note(results: D1Result[]): void {
  const ms = results.reduce((sum, { meta }) => sum + meta.duration, 0);
  spent.sqlMs += ms;
  spent.longestMs = Math.max(spent.longestMs, ms);
  spent.batches++;
}

function replace<T extends object>(target: T, methods: Record<string, unknown>): T {
  return new Proxy(target, {
    get(object, name) {
      if (typeof name === "string" && Object.hasOwn(methods, name)) return methods[name];
      const value: unknown = Reflect.get(object, name);
      return typeof value === "function" ? value.bind(object) : value;
    },
  });
}

function timed(database: D1Database): D1Database {
  const originals = new WeakMap<D1PreparedStatement, D1PreparedStatement>();
  const statement = (original: D1PreparedStatement): D1PreparedStatement => {
    const all = async () => {
      const result = await original.all();
      note([result]);
      return result;
    };
    const methods = { bind: (...values: unknown[]) => statement(original.bind(...values)), all, run: all };
    const timedStatement = replace(original, methods);
    originals.set(timedStatement, original);
    return timedStatement;
  };
  return replace(database, {
    prepare: (query: string) => statement(database.prepare(query)),
    batch: async (statements: D1PreparedStatement[]) => {
      const results = await database.batch(statements.map((each) => originals.get(each) ?? each));
      note(results);
      return results;
    },
  });
}

/** One object per isolate, because the product caches databases by binding. */
let observed: Env | null = null;
const observe = (env: Env): Env => (observed ??= replace(env, { DB: timed(env.DB) }));

export class StatusInbox extends ProductInbox {
  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, observe(env));
  }
}

export default {
  ...product,
  async fetch(request: Request, env: Env, ctx: ExecutionContext): Promise<Response> {
    if (new URL(request.url).pathname !== "/bench/spent") return product.fetch(request, observe(env), ctx);
    const taken = Response.json(spent);
    Object.assign(spent, { sqlMs: 0, longestMs: 0, batches: 0 });
    return taken;
  },
  queue: (batch: MessageBatch, env: Env, ctx: ExecutionContext): Promise<void> =>
    product.queue(batch, observe(env), ctx),
};
