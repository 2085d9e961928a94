import { Webhook } from "standardwebhooks";
import { expect, vi } from "vitest";
import { appendEvents, event } from "../../src/features/events/append-events.sql.ts";
import type { EventType } from "../../src/features/events/events.types.ts";
import { deliveredEvent, eventBatch } from "../../src/features/webhooks/delivered-events.ts";
import { sql } from "drizzle-orm";
import { transact } from "../../src/db/statement.ts";
import { stopClock } from "./clock.ts";
import { contextOf } from "./context.ts";
import { type Answer, type Customer, World } from "./world.ts";

export interface Received {
  at: number;
  id: string;
  headers: Record<string, string>;
  text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into bodies of every shape
  body: any;
}

type Behaviour = (request: Received, signal: AbortSignal | null) => Response | Promise<Response>;

const OK: Behaviour = () => new Response("thanks");

/** Every sent body must match the documentation. */
function checkBody(body: Received["body"]): void {
  const documented = Object.hasOwn(body, "events") ? eventBatch : deliveredEvent;
  expect(documented.safeParse(body).error?.issues ?? [], body.type).toEqual([]);
}

export class Receiver {
  readonly url = `https://${crypto.randomUUID()}.example.org/hook?token=1`;
  readonly received: Received[] = [];
  /** `open` counts requests that have no response yet, and `mostOpen` is its maximum. */
  open = 0;
  mostOpen = 0;
  answer: Behaviour = OK;
  private checked = 0;

  constructor() {
    const before = globalThis.fetch;
    const passOn = (vi.isMockFunction(before) ? before.getMockImplementation() : undefined) ?? before;
    vi.spyOn(globalThis, "fetch").mockImplementation(async (...[input, init]: Parameters<typeof fetch>) => {
      if (input !== this.url || typeof init?.body !== "string") return passOn(input, init);
      const text = init.body;
      const headers = Object.fromEntries(new Headers(init.headers));
      const request = { at: Date.now(), id: headers["webhook-id"] ?? "", headers, text, body: JSON.parse(text) };
      this.received.push(request);
      this.mostOpen = Math.max(this.mostOpen, ++this.open);
      try {
        return await this.answer(request, init.signal ?? null);
      } finally {
        this.open--;
      }
    });
  }

  get events(): Answer["body"][] {
    for (const { body } of this.received.slice(this.checked)) checkBody(body);
    this.checked = this.received.length;
    return this.received.flatMap(({ body }) => body.events ?? [body]);
  }

  verify(request: Received, secret: string): unknown {
    return new Webhook(secret).verify(request.text, request.headers);
  }
}

/** Restores the mocks of earlier tests and stops the clock. */
export async function startReceiving(): Promise<{ world: World; customer: Customer; receiver: Receiver }> {
  vi.restoreAllMocks();
  stopClock();
  const world = new World();
  return { world, customer: await world.customer(), receiver: new Receiver() };
}

export const objectIdsOf = (events: { object_id: string }[]): string[] => events.map((each) => each.object_id);

export async function hookUp(
  customer: Customer,
  receiver: Receiver,
  settings: object = {},
): Promise<{ id: string; secret: string }> {
  const sent = { url: receiver.url, types: ["contact.*"], ...settings };
  const { body } = await customer.call("POST", "/webhooks", sent);
  await customer.world.settle({ withinMs: 0 });
  return { id: body.webhook.id, secret: body.secret };
}

/** Appends one event per contact in one batch, and wakes the listeners. */
export async function tellOf(
  customer: Customer,
  contactIds: string[],
  { type = "contact.updated", isWakeLost = false }: { type?: EventType; isWakeLost?: boolean } = {},
): Promise<void> {
  const ctx = await contextOf(customer);
  const events = sql`SELECT ${event(type, sql`value`)} FROM json_each(${JSON.stringify(contactIds)})`;
  const work: Promise<unknown>[] = [];
  ctx.db.wake = (objects) => {
    for (const [kind, name] of objects)
      if (kind === "webhook" && !isWakeLost) work.push(customer.world.env.WEBHOOK_SENDER.getByName(name).wake());
  };
  await transact(ctx.db, { append: appendEvents(ctx, events) });
  await Promise.all(work);
}
