import { describe, expect, it } from "vitest";
import { logged, readEvents } from "../../support/read-log.ts";
import { faultyWorld } from "../../support/storage.ts";
import { type Customer, World } from "../../support/world.ts";

const world = new World();

const created = async (customer: Customer, fields: object) =>
  (await customer.call("POST", "/contacts", fields)).body.contact;

it("The event about a new contact contains every field that has a value", async () => {
  const customer = await world.customer();
  await customer.call("POST", "/custom-fields", {
    field_key: "plan",
    label: "Plan",
    type: "select",
    options: ["a", "b"],
  });
  await customer.call("POST", "/custom-fields", { field_key: "vip", label: "VIP", type: "boolean" });
  await customer.call("POST", "/tags", { name: "Old" });
  let id = "";
  const { events, rows } = await logged(customer, async () => {
    const answer = await customer.call("POST", "/contacts", {
      phone: "+14155550101",
      name: 'Ana "A"',
      tags: ["New", "old"],
      custom_fields: { plan: "a", vip: false },
    });
    id = answer.body.contact.id;
  });
  expect(rows).toBe(1);
  expect(events).toEqual([
    ["tag.created", expect.stringMatching(/^tag_/), { name: [null, "New"], color: [null, expect.any(String)] }],
    [
      "contact.created",
      id,
      {
        phone: [null, "+14155550101"],
        name: [null, 'Ana "A"'],
        status: [null, "new"],
        lifecycle_stage: [null, "lead"],
        source: [null, "api"],
        tags: [null, ["Old", "New"]],
        "custom_fields.plan": [null, "a"],
        "custom_fields.vip": [null, false],
      },
    ],
  ]);
  const changed = await logged(customer, () =>
    customer.call("POST", "/contacts", {
      phone: "+14155550101",
      company: "Acme",
      tags: ["new", "third"],
      custom_fields: { plan: null, vip: true },
    }),
  );
  expect(changed.rows).toBe(1);
  expect(changed.events).toEqual([
    ["tag.created", expect.any(String), expect.any(Object)],
    [
      "contact.updated",
      id,
      {
        company: [null, "Acme"],
        tags: [
          ["Old", "New"],
          ["Old", "New", "third"],
        ],
        "custom_fields.plan": ["a", null],
        "custom_fields.vip": [false, true],
      },
    ],
  ]);
});

describe("Changes of contacts", () => {
  it("The event about a changed contact contains the fields that differ, and no event is logged if none differs", async () => {
    const customer = await world.customer();
    const { id } = await created(customer, { phone: "+14155550101", name: "Ana", tags: ["A", "B"] });
    const change = { name: null, email: "a@x.com", phone: "+14155550102", status: "active", tags: ["B", "C"] };
    const patched = await logged(customer, () => customer.call("PATCH", `/contacts/${id}`, change));
    expect(patched.rows).toBe(1);
    expect(patched.events.at(-1)).toEqual([
      "contact.updated",
      id,
      {
        name: ["Ana", null],
        email: [null, "a@x.com"],
        phone: ["+14155550101", "+14155550102"],
        status: ["new", "active"],
        tags: [
          ["A", "B"],
          ["B", "C"],
        ],
      },
    ]);
    const again = await logged(customer, () => customer.call("PATCH", `/contacts/${id}`, change));
    expect(again.events).toEqual([]);
    const same = await logged(customer, () =>
      customer.call("POST", "/contacts", { phone: "+14155550102", tags: ["b"] }),
    );
    expect(same.events).toEqual([]);
    const kept = { phone: "+14155550102", name: "Bo", update: false };
    expect((await logged(customer, () => customer.call("POST", "/contacts", kept))).events).toEqual([]);
  });

  it("Archiving or restoring a contact logs one event, directly or by an upsert", async () => {
    const customer = await world.customer();
    const { id } = await created(customer, { phone: "+14155550101" });
    const archive = () => customer.call("DELETE", `/contacts/${id}`);
    const restore = () => customer.call("POST", `/contacts/${id}/restore`);
    expect((await logged(customer, archive)).events).toEqual([
      ["contact.archived", id, { is_archived: [false, true] }],
    ]);
    expect((await logged(customer, archive)).events).toEqual([]);
    expect((await logged(customer, restore)).events).toEqual([
      ["contact.restored", id, { is_archived: [true, false] }],
    ]);
    expect((await logged(customer, restore)).events).toEqual([]);
    await archive();
    const upsert = () => customer.call("POST", "/contacts", { phone: "+14155550101", name: "Ana" });
    expect((await logged(customer, upsert)).events).toEqual([
      ["contact.restored", id, { is_archived: [true, false], name: [null, "Ana"] }],
    ]);
  });

  it("A change to an opt-out logs one event for each contact with the number, and none for repeats", async () => {
    const customer = await world.customer();
    const { id } = await created(customer, { phone: "+14155550101" });
    const patch = (isUnsubscribed: boolean) => () =>
      customer.call("PATCH", `/contacts/${id}`, { is_unsubscribed: isUnsubscribed });
    const out = ["contact.opted_out", id, { is_unsubscribed: [false, true] }];
    expect((await logged(customer, patch(true))).events).toEqual([out]);
    expect((await logged(customer, patch(true))).events).toEqual([]);
    await customer.call("DELETE", `/contacts/${id}`);
    const other = await logged(customer, () =>
      customer.call("POST", "/contacts", { email: "b@x.com", is_unsubscribed: true, name: "B" }),
    );
    expect(other.events.map(([type]) => type)).toEqual(["contact.created", "contact.opted_out"]);
    await customer.call("POST", `/contacts/${id}/restore`);
    expect((await logged(customer, patch(false))).events).toEqual([
      ["contact.opted_in", id, { is_unsubscribed: [true, false] }],
    ]);
    expect((await logged(customer, patch(false))).events).toEqual([]);
  });

  it("The event about a new contact contains an existing opt-out, and a contact that gets an opted-out number has an extra event", async () => {
    const customer = await world.customer();
    const phone = "+14155550101";
    const first = await created(customer, { phone, is_unsubscribed: true });
    await customer.call("DELETE", `/contacts/${first.id}`);
    await customer.call("PATCH", `/contacts/${first.id}`, { phone: "+14155550109" });
    const { events } = await logged(customer, () => customer.call("POST", "/contacts", { email: "b@x.com" }));
    const [[, id] = []] = events;
    const taken = await logged(customer, () => customer.call("PATCH", `/contacts/${id}`, { phone }));
    expect(taken.events).toEqual([
      ["contact.updated", id, { phone: [null, phone] }],
      ["contact.opted_out", id, { is_unsubscribed: [false, true] }],
    ]);
    await customer.call("PATCH", `/contacts/${id}`, { phone: null });
    const born = await logged(customer, () => customer.call("POST", "/contacts", { phone }));
    expect(born.events).toMatchObject([["contact.created", expect.any(String), { is_unsubscribed: [null, true] }]]);
  });
});

it("Concurrent upserts of one number log one contact.created and each change once", async () => {
  const customer = await world.customer({ plan: "scale" });
  await Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      customer.call("POST", "/contacts", { phone: "+14155550101", tags: [`t${at}`] }),
    ),
  );
  const events = await readEvents(customer, "contact");
  expect(events.map(({ type }) => type)).toEqual([
    "contact.created",
    ...Array.from({ length: 19 }, () => "contact.updated"),
  ]);
  const told = events.map(({ changes }) => changes?.["tags"] ?? []);
  told.slice(1).forEach(([before], at) => expect(before).toEqual(told[at]?.[1]));
  expect(told.at(-1)?.[1]).toHaveLength(20);
});

it("A contact's change is not logged if storage rejected it, and logged once if its response was lost", async () => {
  const { world: shaky, faults } = faultyWorld();
  const customer = await shaky.customer();
  const upsert = (key: string) =>
    customer.call("POST", "/contacts", { phone: "+14155550101" }, { headers: { "Idempotency-Key": key } });
  faults.next(/INSERT INTO contacts/, "before", "D1_ERROR: disk I/O error");
  expect((await upsert("one")).status).toBe(500);
  expect(await readEvents(customer, "contact")).toEqual([]);
  faults.next(/INSERT INTO contacts/, "after", "D1_ERROR: disk I/O error");
  expect((await upsert("two")).status).toBe(500);
  expect((await upsert("two")).headers.get("Idempotent-Replayed")).toBe("true");
  expect((await readEvents(customer, "contact")).map(({ type, actor }) => [type, actor])).toEqual([
    ["contact.created", `api_key:${customer.keyId}`],
  ]);
});

it("Events about contacts are visible only in the contacts' workspace", async () => {
  const [one, other] = [await world.customer(), await world.customer()];
  await created(one, { phone: "+14155550101", is_unsubscribed: true });
  const theirs = await created(other, { phone: "+14155550101" });
  expect((await readEvents(other, "contact")).map(({ type, id }) => [type, id])).toEqual([
    ["contact.created", theirs.id],
  ]);
});

it("Deleting a tag or field logs no contact event, even if contacts lose its values", async () => {
  const customer = await world.customer();
  const { custom_field: field } = (
    await customer.call("POST", "/custom-fields", { field_key: "plan", label: "Plan", type: "text" })
  ).body;
  const { tags } = await created(customer, { phone: "+14155550101", tags: ["A"], custom_fields: { plan: "x" } });
  const { events } = await logged(customer, async () => {
    await customer.call("DELETE", `/tags/${tags[0].id}`);
    await customer.call("DELETE", `/custom-fields/${field.id}`);
    await world.cron();
  });
  expect(events.filter(([type]) => type.startsWith("contact."))).toEqual([]);
});
