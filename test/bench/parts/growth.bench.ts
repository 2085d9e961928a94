import { expect, it } from "vitest";
import { stopClock } from "../../support/clock.ts";
import { costOf as costOfAnswer, onShard } from "../../support/storage.ts";
import type { Answer, Customer, World } from "../../support/world.ts";
import { meteredWorld } from "../../support/metered-world.ts";
import { Table } from "./report.ts";

const FEW = 100;
const MANY = 20_000;
const HOUR_MS = 3_600_000;
const to = "+14155552671";

const counted = (count: number) => `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`;

/**
 * Copies the customer's only contact, conversation and message. Creates `count` conversations, and `count` messages in
 * the first conversation.
 */
async function multiply(customer: Customer, count: number): Promise<void> {
  const { workspaceId } = customer;
  await onShard(
    customer,
    `${counted(count)} INSERT INTO contacts (seq, id, workspace_id, name, phone, phone_key, created_at, updated_at)
    SELECT c.seq + i, c.id || printf('%06d', i), c.workspace_id, c.name, c.phone || i, c.phone_key || i, c.created_at, c.updated_at
    FROM n CROSS JOIN contacts c WHERE c.workspace_id = ?`,
    workspaceId,
  );
  await onShard(
    customer,
    `${counted(count)} INSERT INTO conversations (id, workspace_id, contact_seq, connection_id, channel, status,
      unread_count, last_message, last_message_at, last_message_id, created_at)
    SELECT v.id || printf('%06d', i), v.workspace_id, v.contact_seq + i, v.connection_id, v.channel, iif(i % 3 = 0, 'done', 'open'),
      i % 2, v.last_message, v.last_message_at - i, v.last_message_id, v.created_at
    FROM n CROSS JOIN conversations v WHERE v.workspace_id = ?`,
    workspaceId,
  );
  await onShard(
    customer,
    `${counted(count)} INSERT INTO messages (id, workspace_id, contact_seq, connection_id, from_contact, address, body, state, created_at)
    SELECT m.id || printf('%06d', i), m.workspace_id, m.contact_seq, m.connection_id, i % 2, m.address, m.body, m.state, m.created_at
    FROM n CROSS JOIN messages m WHERE m.workspace_id = ?`,
    workspaceId,
  );
  await onShard(
    customer,
    `${counted(count)} INSERT INTO sandbox_deliveries (id, connection_id, message_id, address, body, attempt, at)
    SELECT d.id || printf('%06d', i), d.connection_id, d.message_id, d.address, d.body, d.attempt, d.at
    FROM n CROSS JOIN sandbox_deliveries d WHERE d.connection_id = ?`,
    customer.connectionId,
  );
}

/** Creates a customer on the first shard, with one message, sent an hour ago. */
async function customerOnFirstShard(world: World): Promise<{ customer: Customer; sent: Answer["body"] }> {
  const customer = await world.customer({ key: { rate_limit: { requests: 10_000, window_seconds: 20 } } });
  await world.manage("POST", "/workspaces", { name: "The next workspace is on the other shard" });
  const { body: sent } = await customer.send(to);
  await world.settle();
  return { customer, sent };
}

function callsOf(customer: Customer, sent: Answer["body"]): Record<string, () => Promise<Answer>> {
  const conversation = `/conversations/${sent.conversation_id}`;
  const outbox = `/connections/${customer.connectionId}/outbox`;
  const list = (query: string) => () => customer.call("GET", `/conversations${query}`);
  const nextPage = (path: string, limit: number, ask: (path: string) => Promise<Answer>) => async () => {
    const { next_cursor: cursor } = (await ask(`${path}limit=${limit}`)).body;
    return ask(`${path}limit=20&cursor=${cursor}`);
  };
  return {
    "GET /conversations": list(""),
    "GET /conversations, after 70": nextPage("/conversations?", 70, (path) => customer.call("GET", path)),
    "GET /conversations?status=done": list("?status=done"),
    "GET /conversations?unread=true": list("?unread=true"),
    "GET /conversations/:id/messages": () => customer.call("GET", `${conversation}/messages?limit=20`),
    "GET /conversations/:id/messages, after 70": nextPage(`${conversation}/messages?`, 70, (path) =>
      customer.call("GET", path),
    ),
    "GET …/outbox": () => customer.manage("GET", outbox),
    "GET …/outbox?to=": () => customer.manage("GET", `${outbox}?to=${encodeURIComponent(to)}`),
    "GET …/outbox, after 70": nextPage(`${outbox}?`, 70, (path) => customer.manage("GET", path)),
    "GET /messages/:id": () => customer.call("GET", `/messages/${sent.message_id}`),
    "GET /conversations/:id": () => customer.call("GET", conversation),
    "GET /contacts/:id": () => customer.call("GET", `/contacts/${sent.contact_id}`),
  };
}

const rowsIn = (body: object) => Object.values(body).find((value) => Array.isArray(value))?.length ?? 1;

it("Costs that grow with the data stay within their budgets", async () => {
  stopClock();
  const { world, costOf } = meteredWorld();
  const few = await customerOnFirstShard(world);
  const many = await customerOnFirstShard(world);
  world.advance(HOUR_MS);
  await multiply(few.customer, FEW);
  await multiply(many.customer, MANY);

  const columns = ["what", "rows returned", `read at ${FEW}`, `read at ${MANY}`];
  const table = new Table(
    `Growth: ${FEW} and ${MANY} conversations, and messages in one of them, in workspaces that share a database`,
    columns,
  );
  const callsAtMany = callsOf(many.customer, many.sent);
  for (const [name, atFew] of Object.entries(callsOf(few.customer, few.sent))) {
    const atMany = callsAtMany[name] ?? atFew;
    const [fewAnswer, manyAnswer] = [await atFew(), await atMany()];
    expect(fewAnswer.status, `${name}: ${JSON.stringify(fewAnswer.body)}`).toBe(200);
    const [readAtFew = 0, readAtMany = 0] = [fewAnswer, manyAnswer].map((answer) => costOfAnswer(answer)["rows_read"]);
    const rows = rowsIn(manyAnswer.body);
    expect(rowsIn(fewAnswer.body)).toBe(rows);
    const budget = 3 * rows + 5;
    table.add(
      [name, rows, readAtFew, readAtMany],
      `≤ ${budget}, the same`,
      readAtMany === readAtFew && readAtFew <= budget,
    );
  }

  const readIn = async (work: () => Promise<unknown>) => (await costOf(work)).read;
  const life = ({ customer }: typeof few) =>
    readIn(async () => {
      await customer.send(to);
      await world.settle();
    });
  const inbound = ({ customer }: typeof few) => readIn(() => customer.receive(to, "Hello?"));
  const compare = (name: string, atFew: number, atMany: number) =>
    table.add([name, "", atFew, atMany], "no more, give or take 5", atMany <= atFew + 5);
  compare("a message's life", await life(few), await life(many));
  compare("an inbound message", await inbound(few), await inbound(many));
  table.add(["the minute cron, nothing to do", "", "", await readIn(() => world.cron())], "", null);
  await table.show();
});
