import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { override } from "./override.ts";

/** Durable Objects whose alarms a test rings, and whose queues are the test's: objects have bindings of their own. */
export class HeldAlarms {
  private readonly stubs = new Map<string, DurableObjectStub<undefined>>();

  constructor(private readonly env: () => object) {}

  /** A namespace of which those objects are held that one of `methods` is called on. */
  binding<T extends DurableObjectNamespace<undefined>>(namespace: T, methods: string[]): T {
    const getByName = (name: string) => {
      const stub = namespace.getByName(name);
      const call = (method: string, args: unknown[]): unknown => {
        const target: unknown = Reflect.get(stub, method);
        return typeof target === "function" ? Reflect.apply(target, stub, args) : target;
      };
      const hold = async () => {
        await runInDurableObject(stub, (object) => void Reflect.set(object, "env", this.env()));
        this.stubs.set(stub.id.toString(), stub);
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

  private async due(): Promise<{ stub: DurableObjectStub<undefined>; at: number }[]> {
    const all = await Promise.all(
      [...this.stubs.values()].map(async (stub) => ({
        stub,
        at: await runInDurableObject(stub, (_, { storage }) => storage.getAlarm()),
      })),
    );
    return all.flatMap(({ stub, at }) => (at === null ? [] : [{ stub, at }]));
  }

  /** When the next alarm is to ring, in ms since the epoch; null when none is set. */
  async nextDueAt(): Promise<number | null> {
    const due = await this.due();
    return due.length === 0 ? null : Math.min(...due.map(({ at }) => at));
  }

  /** Rings those that are due. */
  async ringDue(): Promise<void> {
    for (const { stub, at } of await this.due()) if (at <= Date.now()) await runDurableObjectAlarm(stub);
  }
}
