import { expect } from "vitest";
import { toDelivery } from "../../src/features/messages/messages.states.ts";
import { type LoggedEvent, readLog } from "./read-log.ts";
import { onShard } from "./storage.ts";
import type { Answer, Customer } from "./world.ts";

type Fields = Record<string, unknown>;

interface Rebuilt {
  messages: Map<string, Fields>;
  campaigns: Map<string, Fields>;
  conversations: Map<string, Fields>;
  mergedInto: Map<string, string>;
}

export const changesOf = async (customer: Customer) =>
  (await readLog(customer))
    .filter(({ type }) => !/^(connection|api_key|template)\./.test(type))
    .map(({ actor, ...event }) => ({ ...event, actor: [actor.split(":")[0], actor.split(":")[1] ?? null] }));

function heldBefore({ type }: LoggedEvent, name: string, fields: Fields, before: unknown): unknown {
  if (Object.hasOwn(fields, name)) return fields[name];
  // The log contains neither a message's first text nor the first settings of a scheduled campaign.
  if (name === "body" || type === "campaign.updated") return before;
  // A campaign's recipients have no `message.queued` event, so their first event already starts from "queued".
  return name === "delivery" && type !== "message.queued" && before === "queued" ? "queued" : null;
}

function rebuild(events: LoggedEvent[]): Rebuilt {
  const rebuilt: Rebuilt = {
    messages: new Map(),
    campaigns: new Map(),
    conversations: new Map(),
    mergedInto: new Map(),
  };
  for (const event of events) {
    const [kind] = event.type.split(".");
    if (kind !== "message" && kind !== "campaign" && kind !== "conversation") continue;
    const objects = rebuilt[`${kind}s`];
    const fail = (what: string) => {
      throw new Error(`Event ${event.sequence}, ${event.type} of ${event.id}: ${what}`);
    };
    const fields = objects.get(event.id) ?? {};
    objects.set(event.id, fields);
    for (const [name, [before, after]] of Object.entries(event.changes ?? {})) {
      if (name === "id") {
        if (!objects.delete(String(before))) fail(`${String(before)} is not known.`);
        rebuilt.mergedInto.set(String(before), event.id);
        continue;
      }
      if (name === "unread_count") continue;
      const held = heldBefore(event, name, fields, before);
      if (JSON.stringify(before) !== JSON.stringify(held))
        fail(`${name} was ${JSON.stringify(held)}, not ${JSON.stringify(before)}.`);
      fields[name] = after;
    }
    if (fields["delivery"] === null) objects.delete(event.id);
  }
  return rebuilt;
}

/** `GET /messages/{id}` returns 404 for a campaign's unsent recipients, so their state is read from their rows. */
async function messagesOf(customer: Customer): Promise<Map<string, Answer["body"]>> {
  const rows = await onShard(
    customer,
    "SELECT id, state, campaign_id, type, from_contact, contact_reaction, own_reaction FROM messages WHERE workspace_id = ?",
    customer.workspaceId,
  );
  const messages = new Map<string, Answer["body"]>();
  for (const { id, state, campaign_id, type, from_contact, contact_reaction, own_reaction } of rows) {
    const { status, body } = await customer.call("GET", `/messages/${id}`);
    if (type === "reaction" && from_contact === 0) {
      expect(status).toBe(404);
      continue;
    }
    expect([200, campaign_id === null ? 200 : 404]).toContain(status);
    const shown = status === 200 ? body.message : { delivery: toDelivery(Number(state)), campaign_id };
    const isReaction = type === "reaction";
    messages.set(String(id), {
      ...shown,
      isReaction,
      reaction: contact_reaction || null,
      own_reaction: own_reaction || null,
    });
  }
  return messages;
}

export const idsOf = async (customer: Customer, table: string): Promise<string[]> =>
  (await onShard(customer, `SELECT id FROM ${table} WHERE workspace_id = ? ORDER BY id`, customer.workspaceId)).map(
    ({ id }) => String(id),
  );

export async function answersFor(
  customer: Customer,
  table: string,
  path: string,
  key: string,
): Promise<Map<string, Answer["body"]>> {
  const answers = new Map<string, Answer["body"]>();
  for (const id of await idsOf(customer, table)) {
    const { status, body } = await customer.call("GET", `/${path}/${id}`);
    expect(status, JSON.stringify(body)).toBe(200);
    answers.set(id, body[key]);
  }
  return answers;
}

const shownOf = (told: Map<string, Fields>, objects: Map<string, Answer["body"]>) =>
  new Map(
    [...told].map(([id, fields]) => [
      id,
      Object.fromEntries(Object.keys(fields).map((name) => [name, objects.get(id)?.[name]])),
    ]),
  );

/** The log never shows an inbound message as read, because `conversation.read` reports this instead. */
const deliveryTold = ({ delivery, from_contact }: Answer["body"]) =>
  from_contact && delivery === "read" ? "delivered" : delivery;

function unreadCounts(
  events: LoggedEvent[],
  { conversations, mergedInto }: Rebuilt,
  messages: Map<string, Answer["body"]>,
) {
  const finalId = (id: string): string => {
    const into = mergedInto.get(id);
    return into === undefined ? id : finalId(into);
  };
  const counts = new Map([...conversations.keys()].map((id) => [id, 0]));
  const isMerged = new Set([...mergedInto.values()].map(finalId));
  const add = (id: string, count: number) => counts.set(id, (counts.get(id) ?? 0) + count);
  for (const { type, id, changes, sequence } of events) {
    if (type === "message.received" && !messages.get(id)?.isReaction) add(messages.get(id)?.conversation_id, 1);
    if (type !== "conversation.read") continue;
    const [read] = changes?.["unread_count"] ?? [0];
    const conversationId = finalId(id);
    if (!isMerged.has(conversationId)) expect(read, `unread before event ${sequence}`).toBe(counts.get(conversationId));
    add(conversationId, -read);
  }
  return counts;
}

/**
 * Compares the log with the messages, campaigns and conversations in the API. The log does not contain:
 * - a campaign's recipients that are still queued;
 * - which inbound messages were read, because one `conversation.read` covers all of them;
 * - increases of `unread_count`, because each `message.received` implies one;
 * - a message's first text, error, price and times.
 */
export async function expectLogToTell(customer: Customer): Promise<void> {
  const events = await readLog(customer);
  const rebuilt = rebuild(events);
  const messages = await messagesOf(customer);
  const campaigns = await answersFor(customer, "campaigns", "campaigns", "campaign");
  const conversations = await answersFor(customer, "conversations", "conversations", "conversation");

  const told = new Map([...messages].map(([id, each]) => [id, { ...each, delivery: deliveryTold(each) }]));
  expect(rebuilt.messages).toEqual(shownOf(rebuilt.messages, told));
  for (const [id, { campaign_id, delivery, body, versions = [] }] of messages) {
    const [earliest] = versions;
    const lacks = `The log lacks ${delivery} of ${id}`;
    if (!rebuilt.messages.has(id)) expect([campaign_id !== null, delivery], lacks).toEqual([true, "queued"]);
    if (earliest !== undefined && earliest.body !== body)
      expect(rebuilt.messages.get(id), lacks).toHaveProperty("body");
  }
  const statusesOf = (objects: Map<string, Answer["body"]>, names: readonly string[]) =>
    new Map(
      [...objects].map(([id, each]) => [id, Object.fromEntries(names.map((name) => [name, each[name] ?? null]))]),
    );
  expect(statusesOf(rebuilt.campaigns, ["status", "last_error"])).toEqual(
    statusesOf(campaigns, ["status", "last_error"]),
  );
  const unread = unreadCounts(events, rebuilt, messages);
  const conversationsTold = [...rebuilt.conversations].map(
    ([id, { status }]) => [id, { status, unread_count: unread.get(id) }] as const,
  );
  expect(new Map(conversationsTold)).toEqual(statusesOf(conversations, ["status", "unread_count"]));
}
