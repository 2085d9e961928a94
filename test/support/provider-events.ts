import { onShard } from "./storage.ts";
import { expect } from "vitest";
import { type Answer, type Customer, phoneEnding } from "./world.ts";

export interface Names {
  phone?: string | null;
  userId?: string | null;
  name?: string | null;
  username?: string | null;
}

export async function carried(customer: Customer, event: object): Promise<object> {
  const workspace = await customer.world.env.DB.prepare("SELECT id, number, shard FROM workspaces WHERE id = ?")
    .bind(customer.workspaceId)
    .first();
  return { v: 1, workspace, connectionId: customer.connectionId, event };
}

let count = 0;

export const messageFrom = (from: Names, body: string, at = Date.now()) => ({
  type: "message",
  messageId: null,
  providerMessageId: `in-${count++}`,
  from: { phone: null, userId: null, name: null, ...from },
  body,
  at,
});

export const ownMessageTo = (to: Names, body: string) => ({
  type: "own",
  providerMessageId: `own-${count}`,
  providerKey: `own-${count++}`,
  to: { phone: null, userId: null, name: null, ...to },
  body,
  at: Date.now(),
  viaApi: false,
});

export const statusOf = (messageId: string, recipient: Names | null, status = "delivered", more: object = {}) => ({
  type: "status",
  messageId,
  providerMessageId: `sent-${messageId}`,
  providerKey: null,
  status,
  at: Date.now(),
  error: null,
  recipient: recipient === null ? null : { phone: null, ...recipient },
  ...more,
});

export const identityNotice = (before: Names, now: Names, at = Date.now()) => ({
  type: "identity",
  noticeId: `notice-${count++}`,
  before: { phone: null, userId: null, ...before },
  now: { phone: null, userId: null, ...now },
  at,
});

export async function deliver(customer: Customer, events: object[], copies = 1): Promise<void> {
  const bodies = await Promise.all(events.map((event) => carried(customer, event)));
  await customer.world.env.EVENTS_QUEUE.sendBatch(bodies.map((body) => ({ body })));
  await customer.world.queues.deliverDue(customer.world.env, copies);
}

export async function contactsOf(customer: Customer): Promise<Answer["body"][]> {
  const rows = await onShard(
    customer,
    "SELECT id FROM contacts WHERE workspace_id = ? ORDER BY seq",
    customer.workspaceId,
  );
  return Promise.all(rows.map(async ({ id }) => (await customer.call("GET", `/contacts/${id}`)).body.contact));
}

export const conversationsOf = async (customer: Customer): Promise<Answer["body"][]> =>
  (await customer.call("GET", "/conversations")).body.conversations;

export const outcomeOf = ({ status, body }: Answer): string => (status === 202 ? "queued" : body.error.code);

let ids = 0;

export const newUserId = (): string => `user.${ids++}`;

export const historyOf = async (customer: Customer, conversationId: string): Promise<Answer["body"][]> =>
  (await customer.call("GET", `/conversations/${conversationId}/messages?limit=100`)).body.messages;

export async function strangers(customer: Customer) {
  const [phone, userId] = [phoneEnding("1234"), newUserId()];
  await deliver(customer, [messageFrom({ phone, name: "Ann" }, "by number")]);
  customer.world.advance(1000);
  await deliver(customer, [messageFrom({ userId, name: "Annie" }, "by id")]);
  customer.world.advance(1000);
  const [numbered, nameless] = await contactsOf(customer);
  const [later, earlier] = await conversationsOf(customer);
  expect([earlier.contact.id, later.contact.id]).toEqual([numbered.id, nameless.id]);
  return { phone, userId, numbered, nameless, earlier, later };
}
