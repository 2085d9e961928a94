import { env as bindings } from "cloudflare:workers";
import { override } from "../override.ts";
import { type Passage, passingThrough } from "../storage.ts";

/** A consumer can die before or after a database call whose SQL matches. */
export interface Step {
  name: string;
  sql: RegExp;
  when: "before" | "after";
  /** Decides from the call's result whether the step happened. By default, every call counts. */
  counts?(result: unknown): boolean;
}

/** One run of a consumer. After it dies, new calls fail, but calls that it has started may still take effect. */
export class Invocation implements Passage {
  private dead = false;

  /** The run dies at `step`, after it has passed that step `passes` times. */
  constructor(
    private readonly step: Step,
    private passes = 0,
  ) {}

  get isDead(): boolean {
    return this.dead;
  }

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
      STATUSES_QUEUE: this.guard(env.STATUSES_QUEUE, ["send", "sendBatch"]),
      CONNECTION_PACER: this.guardObjects(env.CONNECTION_PACER, ["take", "pause", "run", "report"]),
      CAMPAIGN_CLOCK: this.guardObjects(env.CAMPAIGN_CLOCK, ["set"]),
    };
  }

  async run<T>(sql: string, work: () => Promise<T>): Promise<T> {
    this.check();
    const { sql: pattern, when, counts = () => true } = this.step;
    const isHere = pattern.test(sql);
    if (isHere && when === "before") this.pass();
    this.check();
    const result = await work();
    if (isHere && when === "after" && counts(result)) this.pass();
    this.check();
    return result;
  }

  private pass(): void {
    this.dead ||= this.passes === 0;
    this.passes--;
  }

  private check(): void {
    if (this.dead) throw new Error(`Died ${this.step.name}.`);
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
