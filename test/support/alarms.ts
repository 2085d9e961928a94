import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { vi } from "vitest";
import { override } from "./override.ts";

interface HeldAlarm {
  stub: DurableObjectStub;
  at: number;
}

/** Includes the next millisecond, because an object sets its alarm to it in order to continue at once. */
export const isDueAtOnce = (at: number): boolean => at <= Date.now() + 1;

const isStatusInbox = ({ name = "" }: DurableObjectStub): boolean => /^conn_\w+:\d+$/.test(name);

/**
 * Runs the alarms of Durable Objects in a test. Gives each object the test's bindings, because otherwise it would not
 * use the test's queues.
 */
export class HeldAlarms {
  rung = 0;
  /** Sets an object's bindings only once, to save time. After an eviction, the object has its own bindings again. */
  holdsOnce = false;
  /** Has functions instead of stubs, because an object cannot use a stub that another object created. */
  private readonly held = new Map<string, () => DurableObjectStub>();

  constructor(private readonly env: () => object) {}

  /** Adds an object to `held` when one of `methods` is called on it. */
  binding<T extends DurableObjectNamespace>(namespace: T, methods: string[]): T {
    const getByName = (name: string) => {
      const stub = namespace.getByName(name);
      const call = (method: string, args: unknown[]): unknown => {
        const target: unknown = Reflect.get(stub, method);
        return typeof target === "function" ? Reflect.apply(target, stub, args) : target;
      };
      const hold = async () => {
        if (this.holdsOnce && this.held.has(stub.id.toString())) return;
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

  /** Runs the alarms of status inboxes now, without waiting for their time. */
  async handOverStatuses(): Promise<void> {
    for (const stub of this.statusInboxes()) await runDurableObjectAlarm(stub);
  }

  statusInboxes(): DurableObjectStub[] {
    return [...this.held.values()].map((stubOf) => stubOf()).filter(isStatusInbox);
  }

  /** Runs the due alarms and sets the clock to the time of each. Reads the alarms unless `listed` is given. */
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
