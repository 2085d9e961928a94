import { env as bindings } from "cloudflare:workers";
import { override } from "../override.ts";
import { type Passage, passingThrough } from "../storage.ts";

/** A place in the life of an invocation where it can die: before a call of a database whose SQL matches, or after it. */
export interface Step {
  name: string;
  sql: RegExp;
  when: "before" | "after";
  /** Whether the call did what the step is about, from its result; any will do where this is left out. */
  counts?(result: unknown): boolean;
}

/**
 * One run of a consumer, that may be made to die: from that moment every call it makes fails, and what it had called before may
 * still happen.
 */
export class Invocation implements Passage {
  private dead = false;

  /** `step`: where it is to die, or null. */
  constructor(private readonly step: Step | null) {}

  get isDead(): boolean {
    return this.dead;
  }

  /** The bindings as this run sees them. */
  of(env: Env): Env {
    const databases = {
      DB: passingThrough(this, env.DB),
      DB_SHARD_1: passingThrough(this, bindings.DB_SHARD_1),
    };
    return {
      ...env,
      ...databases,
      CACHE: this.guard(env.CACHE, ["get", "put"]),
      DIRECT_QUEUE: this.guard(env.DIRECT_QUEUE, ["send", "sendBatch"]),
      CAMPAIGN_QUEUE: this.guard(env.CAMPAIGN_QUEUE, ["send", "sendBatch"]),
      EXPAND_QUEUE: this.guard(env.EXPAND_QUEUE, ["send", "sendBatch"]),
      EVENTS_QUEUE: this.guard(env.EVENTS_QUEUE, ["send", "sendBatch"]),
      CONNECTION_PACER: this.guardObjects(env.CONNECTION_PACER, ["take", "pause", "run", "report"]),
      CAMPAIGN_CLOCK: this.guardObjects(env.CAMPAIGN_CLOCK, ["set"]),
    };
  }

  async run<T>(sql: string, work: () => Promise<T>): Promise<T> {
    this.check();
    const step = this.step?.sql.test(sql) === true ? this.step : null;
    if (step?.when === "before") this.dead = true;
    this.check();
    const result = await work();
    if (step !== null && (step.counts?.(result) ?? true)) this.dead = true;
    this.check();
    return result;
  }

  private check(): void {
    if (this.dead) throw new Error(`Died ${this.step?.name}.`);
  }

  private guard<T extends object>(target: T, methods: string[]): T {
    const guarded = (method: string) => {
      return async (...args: unknown[]): Promise<unknown> => {
        this.check();
        const call: unknown = Reflect.get(target, method);
        return typeof call === "function" ? Reflect.apply(call, target, args) : call;
      };
    };
    return override(target, Object.fromEntries(methods.map((method) => [method, guarded(method)])));
  }

  private guardObjects<T extends DurableObjectNamespace>(namespace: T, methods: string[]): T {
    return override(namespace, { getByName: (name: string) => this.guard(namespace.getByName(name), methods) });
  }
}
