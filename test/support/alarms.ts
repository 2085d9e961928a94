import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { vi } from "vitest";
import { override } from "./override.ts";

interface HeldAlarm {
  stub: DurableObjectStub;
  at: number;
}

/** An object that wants to go on at once sets its alarm to the next millisecond. */
export const isDueAtOnce = (at: number): boolean => at <= Date.now() + 1;

/** Durable Objects whose alarms a test rings, and whose queues are the test's: objects have bindings of their own. */
export class HeldAlarms {
  /** How many have rung. */
  rung = 0;
  /** Stubs are made where they are used: an object may not use one that another has made. */
  private readonly held = new Map<string, () => DurableObjectStub>();

  constructor(private readonly env: () => object) {}

  /** A namespace of which those objects are held that one of `methods` is called on. */
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

  /** Those that are set. */
  async list(): Promise<HeldAlarm[]> {
    const all = await Promise.all(
      [...this.held.values()].map(async (stubOf) => {
        const stub = stubOf();
        return { stub, at: await runInDurableObject(stub, (_, { storage }) => storage.getAlarm()) };
      }),
    );
    return all.flatMap(({ stub, at }) => (at === null ? [] : [{ stub, at }]));
  }

  /** When the next alarm is to ring, in ms since the epoch; null when none is set. */
  async nextDueAt(): Promise<number | null> {
    const alarms = await this.list();
    return alarms.length === 0 ? null : Math.min(...alarms.map(({ at }) => at));
  }

  /** Rings those that are due at once, of `listed` where they have been read already. The clock goes on to the time of each. */
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
