import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { vi } from "vitest";
import { override } from "./override.ts";

interface HeldAlarm {
  stub: DurableObjectStub;
  at: number;
}

/** To continue at once, an object sets its alarm to the next millisecond. */
export const isDueAtOnce = (at: number): boolean => at <= Date.now() + 1;

/**
 * The test runs the alarms of these objects. Objects have their own bindings, so this class gives them the
 * test's queues.
 */
export class HeldAlarms {
  rung = 0;
  private readonly held = new Map<string, () => DurableObjectStub>();

  constructor(private readonly env: () => object) {}

  /** Holds the objects on which one of `methods` is called. */
  binding<T extends DurableObjectNamespace>(namespace: T, methods: string[]): T {
    const getByName = (name: string) => {
      const stub = namespace.getByName(name);
      const call = (method: string, args: unknown[]): unknown => {
        const target: unknown = Reflect.get(stub, method);
        return typeof target === "function" ? Reflect.apply(target, stub, args) : target;
      };
      const hold = async () => {
        await runInDurableObject(stub, (object) => void Reflect.set(object, "env", this.env()));
        this.held.set(stub.id.toString(), () => namespace.getByName(name));
      };
      return new Proxy(stub, {
        get(_, method) {
          if (typeof method === "symbol" || method === "then") return undefined;
          return async (...args: unknown[]) => {
            if (methods.includes(method)) await hold();
            return call(method, args);
          };
        },
      });
    };
    return override(namespace, { getByName });
  }

  async list(): Promise<HeldAlarm[]> {
    const all = await Promise.all(
      [...this.held.values()].map(async (stubOf) => {
        const stub = stubOf();
        return { stub, at: await runInDurableObject(stub, (_, { storage }) => storage.getAlarm()) };
      }),
    );
    return all.flatMap(({ stub, at }) => (at === null ? [] : [{ stub, at }]));
  }

  async nextDueAt(): Promise<number | null> {
    const alarms = await this.list();
    return alarms.length === 0 ? null : Math.min(...alarms.map(({ at }) => at));
  }

  /** Sets the clock to the time of each alarm before it runs. `listed` saves a second read. */
  async ringDue(listed?: HeldAlarm[]): Promise<void> {
    const alarms = listed ?? (await this.list());
    const due = alarms.filter(({ at }) => isDueAtOnce(at)).toSorted((a, b) => a.at - b.at);
    for (const { stub, at } of due) {
      vi.setSystemTime(Math.max(Date.now(), at));
      this.rung++;
      await runDurableObjectAlarm(stub);
    }
  }
}
