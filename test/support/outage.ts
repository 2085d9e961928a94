import { env as bindings } from "cloudflare:workers";
import { override } from "./override.ts";
import { databasesThrough, type Passage } from "./storage.ts";
import { type Customer, World } from "./world.ts";

const LOCKED = "D1_ERROR: database is locked: SQLITE_BUSY";

export class Outage implements Passage {
  database = false;
  bucket = false;
  failures = 0;

  run<T>(_sql: string, work: () => Promise<T>): Promise<T> {
    return this.unless(this.database, LOCKED, work);
  }

  private unless<T>(isDown: boolean, message: string, work: () => Promise<T>): Promise<T> {
    if (!isDown) return work();
    this.failures++;
    return Promise.reject(new Error(message));
  }

  private call(method: "put" | "get" | "list" | "delete", args: unknown[]): Promise<unknown> {
    const target = bindings.MEDIA;
    return this.unless(this.bucket, `${method}: We encountered an internal error. Please try again. (10001)`, () =>
      Promise.resolve(Reflect.apply(target[method], target, args)),
    );
  }

  world(): World {
    const methods = (["put", "get", "list", "delete"] as const).map(
      (method) => [method, (...args: unknown[]) => this.call(method, args)] as const,
    );
    const failing = {
      ...databasesThrough(this),
      MEDIA: override(bindings.MEDIA, Object.fromEntries(methods)),
    };
    return new World(failing);
  }
}

export async function eventMessageFor(customer: Customer, event: object) {
  const workspace = await bindings.DB.prepare("SELECT id, number, shard FROM workspaces WHERE id = ?")
    .bind(customer.workspaceId)
    .first();
  return { v: 1, workspace, connectionId: customer.connectionId, event };
}

export const inboundEvent = (id: string, phone: string | null) => ({
  type: "message",
  messageId: null,
  providerMessageId: id,
  from: { phone, userId: null, name: null },
  body: id,
  at: Date.now(),
});

export async function objectsUnder(prefix: string): Promise<{ key: string; value: unknown }[]> {
  const { objects } = await bindings.MEDIA.list({ prefix });
  return Promise.all(
    objects.map(async ({ key }) => ({ key, value: await (await bindings.MEDIA.get(key))?.json<unknown>() })),
  );
}
