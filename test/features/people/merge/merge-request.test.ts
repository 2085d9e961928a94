import { beforeEach, describe, expect, it } from "vitest";
import { stopClock } from "../../../support/clock.ts";
import { conversationsOf, historyOf, strangers } from "../../../support/provider-events.ts";
import { readLog } from "../../../support/read-log.ts";
import { faultyWorld, onShard } from "../../../support/storage.ts";
import { type Answer, type Customer, phoneEnding, World } from "../../../support/world.ts";

beforeEach(stopClock);

const merge = (customer: Customer, id: string, body: object, headers: Record<string, string> = {}): Promise<Answer> =>
  customer.call("POST", `/contacts/${id}/merge`, body, { headers });

async function newContact(customer: Customer, body: object): Promise<Answer["body"]> {
  return (await customer.call("POST", "/contacts", body)).body.contact;
}

const contact = async (customer: Customer, id: string): Promise<Answer["body"]> =>
  (await customer.call("GET", `/contacts/${id}`)).body.contact;

async function withFields(customer: Customer): Promise<void> {
  for (const field_key of ["plan", "city"]) {
    await customer.call("POST", "/custom-fields", { field_key, label: field_key, type: "text" });
  }
}

/** Adds a contact with only an email, and a contact with a number who has written. */
async function anns(customer: Customer) {
  await withFields(customer);
  const kept = await newContact(customer, {
    email: "ann@example.com",
    name: "Ann",
    tags: ["VIP"],
    custom_fields: { plan: "pro" },
  });
  const phone = phoneEnding("1234");
  await customer.receive(phone, "Hello", "Annie");
  const removed = await newContact(customer, {
    phone,
    name: "Annie",
    company: "Acme",
    status: "hot",
    tags: ["VIP", "New"],
    custom_fields: { plan: "free", city: "Lagos" },
  });
  return { kept, removed, phone };
}

describe("Merge requests", () => {
  it("A merge keeps the contact in the path, fills its empty fields and reports lost values", async () => {
    const customer = await new World().customer();
    const { kept, removed, phone } = await anns(customer);
    await customer.send(phone, "Hi back");
    await customer.world.settle();
    const [conversation] = await conversationsOf(customer);

    const { status, body } = await merge(customer, kept.id, { from: removed.id });
    expect(status).toBe(200);
    expect(body.moved).toEqual({ conversations: 1, messages: 2, tags: 1, fields: 4 });
    expect(body.dropped).toEqual({ name: "Annie", source: "inbound", "custom_fields.plan": "free" });
    expect(body.contact).toMatchObject({
      id: kept.id,
      name: "Ann",
      phone,
      email: "ann@example.com",
      company: "Acme",
      status: "hot",
      custom_fields: { plan: "pro", city: "Lagos" },
    });
    expect(body.contact.tags.map(({ name }: { name: string }) => name).toSorted()).toEqual(["New", "VIP"]);
    expect(await contact(customer, kept.id)).toEqual(body.contact);
    expect(await conversationsOf(customer)).toMatchObject([{ id: conversation.id, contact: { id: kept.id } }]);
    expect(await historyOf(customer, conversation.id)).toHaveLength(2);
    const gone = await customer.call("GET", `/contacts/${removed.id}`);
    expect([gone.status, gone.body.error.details]).toEqual([404, { merged_into: kept.id }]);
    const merged = (await readLog(customer)).filter(({ type }) => type === "contact.merged");
    expect(merged).toMatchObject([
      {
        id: kept.id,
        actor: `api_key:${customer.keyId}`,
        changes: { id: [removed.id, kept.id], company: [null, "Acme"] },
      },
    ]);
  });

  it("A merge preview returns the same result as the merge and changes nothing", async () => {
    const customer = await new World().customer();
    const { kept, removed } = await anns(customer);
    const before = [await contact(customer, kept.id), await contact(customer, removed.id)];
    const events = (await readLog(customer)).length;
    const preview = (await merge(customer, kept.id, { from: removed.id, preview: true })).body;
    expect([await contact(customer, kept.id), await contact(customer, removed.id)]).toEqual(before);
    expect(await readLog(customer)).toHaveLength(events);
    const { contact: after, moved, dropped } = (await merge(customer, kept.id, { from: removed.id })).body;
    expect(preview).toMatchObject({ moved, dropped, contact: after });
  });

  it("A merge combines conversations on the same connection and adds their unread counts", async () => {
    const customer = await new World().customer();
    const { numbered, nameless, earlier } = await strangers(customer);
    const { body } = await merge(customer, numbered.id, { from: nameless.id });
    expect(body.moved).toMatchObject({ conversations: 1, messages: 1 });
    expect(body.contact.external_ids).toHaveLength(1);
    expect(await conversationsOf(customer)).toMatchObject([{ id: earlier.id, unread_count: 2 }]);
  });

  it("A merge applies an opt-out of either contact to every number and id", async () => {
    const customer = await new World().customer();
    const [one, other] = [phoneEnding("1001"), phoneEnding("1002")];
    const kept = await newContact(customer, { phone: one });
    const removed = await newContact(customer, { phone: other, is_unsubscribed: true });
    const preview = await merge(customer, kept.id, { from: removed.id, preview: true });
    expect(preview.body.contact.is_unsubscribed).toBe(true);
    const { body } = await merge(customer, kept.id, { from: removed.id });
    expect(body.contact).toMatchObject({ phone: one, is_unsubscribed: true });
    expect(body.dropped).toEqual({ phone: other });
    for (const to of [one, other]) expect((await customer.send(to)).body.error.code).toBe("unsubscribed");
  });

  it("A merge accepts archived contacts, and restores the kept contact if the removed contact was active", async () => {
    const customer = await new World().customer();
    const [phone, email] = [phoneEnding("1003"), "both@example.com"];
    const kept = await newContact(customer, { phone });
    await customer.call("DELETE", `/contacts/${kept.id}`);
    const removed = await newContact(customer, { email });
    const { body } = await merge(customer, kept.id, { from: removed.id });
    expect(body.contact).toMatchObject({ id: kept.id, phone, email, is_archived: false });
  });

  it("A merge does not move a number that a third contact has", async () => {
    const customer = await new World().customer();
    const phone = phoneEnding("1004");
    const removed = await newContact(customer, { phone });
    await customer.call("DELETE", `/contacts/${removed.id}`);
    const kept = await newContact(customer, { email: "third@example.com" });
    const holder = await newContact(customer, { email: "holder@example.com" });
    await customer.call("PATCH", `/contacts/${holder.id}`, { phone });
    const { status, body } = await merge(customer, kept.id, { from: removed.id });
    expect([status, body.contact.phone, body.dropped]).toEqual([200, null, { phone }]);
  });

  it("A merge of two recipients of a campaign sends the person one message", async () => {
    const customer = await new World().customer();
    const [one, other] = [phoneEnding("1005"), phoneEnding("1006")];
    const kept = await newContact(customer, { phone: one });
    const removed = await newContact(customer, { phone: other });
    const template = (await customer.call("POST", "/templates", { name: "News", body: "News" })).body.template;
    const { campaign_id: id } = (
      await customer.call("POST", "/campaigns", { template_id: template.id, channel: "unofficial" })
    ).body;
    await customer.world.queues.deliverDue(customer.world.env);
    await merge(customer, kept.id, { from: removed.id });
    await customer.world.settle();
    const { recipients } = (await customer.call("GET", `/campaigns/${id}/recipients`)).body;
    expect(recipients.map((each: Answer["body"]) => each.contact_id)).toEqual([kept.id, kept.id]);
    expect(recipients.filter((each: Answer["body"]) => each.reason === "duplicate")).toHaveLength(1);
    expect(await customer.outbox()).toHaveLength(1);
  });

  it("A merge returns before a long history has moved, and reads return all of it", { tags: "long" }, async () => {
    const customer = await new World().customer();
    const { kept, removed, phone } = await anns(customer);
    const { conversation_id: conversation } = (await customer.send(phone)).body;
    await customer.world.settle();
    await onShard(
      customer,
      `INSERT INTO messages (id, workspace_id, contact_seq, connection_id, from_contact, address, body, state, created_at)
       WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9000)
       SELECT 'msg_0' || i, workspace_id, contact_seq, connection_id, 1, address, 'old', 5, 0 FROM n CROSS JOIN (
         SELECT * FROM messages WHERE workspace_id = ? LIMIT 1)`,
      customer.workspaceId,
    );
    const { body } = await merge(customer, kept.id, { from: removed.id });
    expect(body.moved.messages).toBe(9002);
    expect(await historyOf(customer, conversation)).toHaveLength(100);
    const left =
      "SELECT count(*) AS n FROM messages m JOIN contact_joins j ON j.from_seq = m.contact_seq WHERE m.workspace_id = ?";
    expect(Number((await onShard(customer, left, customer.workspaceId))[0]?.["n"])).toBeGreaterThan(0);
    await customer.world.cron();
    expect(await onShard(customer, left, customer.workspaceId)).toEqual([{ n: 0 }]);
  });
});

describe("Impossible merges", () => {
  it("A merge is rejected if both ids are equal, or an id is unknown or from another workspace", async () => {
    const customer = await new World().customer();
    const stranger = await customer.world.customer();
    const [own, foreign] = [
      await newContact(customer, { phone: phoneEnding("1007") }),
      await newContact(stranger, { phone: phoneEnding("1008") }),
    ];
    const twice = await merge(customer, own.id, { from: own.id });
    expect([twice.status, twice.body.error.details[0].path]).toEqual([400, "from"]);
    for (const [id, from] of [
      [own.id, foreign.id],
      [foreign.id, own.id],
      [own.id, "ct_unknown"],
    ]) {
      for (const preview of [true, false]) {
        const { status, body } = await merge(customer, id, { from, preview });
        expect([status, body.error.details]).toEqual([404, null]);
      }
    }
    const long = await merge(customer, own.id, { from: "x".repeat(101) });
    expect([long.status, long.body.error.details[0].path]).toEqual([400, "from"]);

    expect(await contact(stranger, foreign.id)).toEqual(foreign);
  });

  it("A merge that is repeated with its Idempotency-Key returns the same response, and without the key an error with the kept contact", async () => {
    const customer = await new World().customer();
    const { kept, removed } = await anns(customer);
    const key = { "Idempotency-Key": "merge-1" };
    const answers = await Promise.all([1, 2, 3].map(() => merge(customer, kept.id, { from: removed.id }, key)));
    for (const answer of [...answers, await merge(customer, kept.id, { from: removed.id }, key)]) {
      expect([answer.status, answer.body]).toEqual([200, answers[0]?.body]);
    }
    const again = await merge(customer, kept.id, { from: removed.id });
    expect([again.status, again.body.error.details]).toEqual([404, { merged_into: kept.id }]);
    expect((await readLog(customer)).filter(({ type }) => type === "contact.merged")).toHaveLength(1);
  });

  it("A merge fails if the opposite merge commits first", async () => {
    const customer = await new World().customer();
    const { kept, removed } = await anns(customer);
    const answers = await Promise.all([
      merge(customer, kept.id, { from: removed.id }),
      merge(customer, removed.id, { from: kept.id }),
    ]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404]);
    const [winner] = answers.filter(({ status }) => status === 200);
    const [loser] = answers.filter(({ status }) => status === 404);
    expect(loser?.body.error.details).toEqual({ merged_into: winner?.body.contact.id });
  });

  it("A merge changes nothing if storage fails halfway, and succeeds when it is repeated", async () => {
    const { world, faults } = faultyWorld();
    const customer = await world.customer();
    const { kept, removed } = await anns(customer);
    faults.next(/insert into "contact_joins"/);
    expect((await merge(customer, kept.id, { from: removed.id })).status).toBe(503);
    expect(await contact(customer, removed.id)).toEqual(removed);
    expect((await merge(customer, kept.id, { from: removed.id })).status).toBe(200);
  });
});
