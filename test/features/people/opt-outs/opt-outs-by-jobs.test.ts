import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { bulk, eventsBy, jobOf, newContacts } from "../../../support/bulk.ts";
import { stopClock } from "../../../support/clock.ts";
import { contactsOf, deliver, messageFrom, newUserId } from "../../../support/provider-events.ts";
import { readLog } from "../../../support/read-log.ts";
import { faultyWorld, type Passage, passingThrough } from "../../../support/storage.ts";
import { type Customer, phoneEnding, World } from "../../../support/world.ts";

beforeEach(stopClock);

const hot = { filter: { status: "hot" }, action: "opt_out" };

const created = async (customer: Customer, contact: object): Promise<string> =>
  (await customer.call("POST", "/contacts", contact)).body.contact.id;

const isOptedOut = async (customer: Customer, id: string | undefined): Promise<boolean> =>
  (await customer.call("GET", `/contacts/${id}`)).body.contact.is_unsubscribed;

const merge = async (customer: Customer, into: string, from: string) =>
  expect((await customer.call("POST", `/contacts/${into}/merge`, { from })).status).toBe(200);

const finish = (customer: Customer) => customer.world.queues.deliverDue(customer.world.env, 2);

describe("Opt-outs by filter", () => {
  it("A bulk opt-out by filter applies to a person whose contact is merged before the job reaches it", async () => {
    const { world, faults } = faultyWorld();
    const customer = await world.customer();
    const phones = [phoneEnding("1001"), phoneEnding("1002")];
    const removed = await created(customer, { phone: phones[0], status: "hot" });
    await newContacts(customer, 20, { status: "hot" });
    const kept = await created(customer, { phone: phones[1], status: "cold" });
    const started = await bulk(customer, hot);
    faults.next(/update "jobs"/, "after");
    await world.queues.deliverDue(world.env);
    expect(await jobOf(customer, started)).toMatchObject({ status: "running", done: 20 });
    expect(await isOptedOut(customer, removed)).toBe(false);

    await merge(customer, kept, removed);
    expect(await isOptedOut(customer, kept)).toBe(true);
    await world.settle();
    expect(await jobOf(customer, started)).toMatchObject({ status: "completed", done: 20, failed: 0 });
    expect(await isOptedOut(customer, kept)).toBe(true);
    for (const to of phones) expect((await customer.send(to)).body.error.code).toBe("unsubscribed");
    const optOuts = eventsBy(await readLog(customer), "contact.opted_out").filter(({ id }) => id === kept);
    expect(optOuts).toHaveLength(1);
  });

  it("A bulk opt-out by filter applies to a matching contact that an inbound message merges before the job reaches it", async () => {
    const customer = await new World().customer();
    const [phone, userId] = [phoneEnding("1003"), newUserId()];
    const numbered = await created(customer, { phone, status: "cold" });
    await deliver(customer, [messageFrom({ userId }, "Hi")]);
    const nameless = (await contactsOf(customer)).find(({ id }) => id !== numbered);
    await customer.call("PATCH", `/contacts/${nameless.id}`, { status: "hot" });
    await bulk(customer, hot);
    await deliver(customer, [messageFrom({ phone, userId }, "It's me")]);
    await finish(customer);
    expect(await isOptedOut(customer, numbered)).toBe(true);
  });

  it("A bulk opt-out by filter applies to a matching contact's merge target, even if the target does not match the filter", async () => {
    const customer = await new World().customer();
    const kept = await created(customer, { phone: phoneEnding("1004") });
    const removed = await created(customer, { phone: phoneEnding("1005"), status: "hot" });
    await bulk(customer, { filter: { status: "new" }, action: "opt_out" });
    await merge(customer, kept, removed);
    await finish(customer);
    expect(await isOptedOut(customer, kept)).toBe(true);
  });

  it.each([
    ["search", { search: "Ann" }, { name: "Ann" }],
    ["tag", { tag: "VIP" }, { tags: ["VIP"] }],
    ["source and archived", { source: "api", archived: true }, {}],
  ])(
    "A bulk opt-out by a %s filter applies to a matching contact that is merged before the job reaches it",
    async (_, filter, made: Record<string, unknown>) => {
      const customer = await new World().customer();
      const kept = await created(customer, { phone: phoneEnding("1006"), name: "Bea" });
      const removed = await created(customer, { phone: phoneEnding("1007"), ...made });
      if (Object.hasOwn(filter, "archived")) await customer.call("DELETE", `/contacts/${removed}`);
      await bulk(customer, { filter, action: "opt_out" });
      await merge(customer, kept, removed);
      expect(await isOptedOut(customer, kept)).toBe(true);
    },
  );

  it(
    "A bulk opt-out by filter does not apply to contacts that do not match, are added later, or are merged after the job",
    { tags: "long" },
    async () => {
      const customer = await new World().customer();
      const [cold, other] = [
        await created(customer, { email: "a@example.com", status: "cold" }),
        await created(customer, { email: "b@example.com", status: "cold" }),
      ];
      await bulk(customer, hot);
      await merge(customer, cold, other);
      const later = await created(customer, { email: "c@example.com", status: "hot" });
      await merge(customer, cold, later);
      await finish(customer);
      const last = await created(customer, { email: "d@example.com", status: "hot" });
      await merge(customer, cold, last);
      expect(await isOptedOut(customer, cold)).toBe(false);
    },
  );

  it("A bulk opt-out by filter applies to a matching contact whose merge is being stored when the opt-out starts", async () => {
    const meanwhile: (() => Promise<unknown>)[] = [];
    const passage: Passage = {
      async run(statements, work) {
        if (statements.includes(`insert into "contact_joins"`)) await meanwhile.pop()?.();
        return work();
      },
    };
    const databases = { DB: passingThrough(passage, env.DB), DB_SHARD_1: passingThrough(passage, env.DB_SHARD_1) };
    const customer = await new World(databases).customer();
    const kept = await created(customer, { phone: phoneEnding("1008"), status: "cold" });
    const removed = await created(customer, { phone: phoneEnding("1009"), status: "hot" });
    meanwhile.push(() => bulk(customer, hot));
    await merge(customer, kept, removed);
    expect(meanwhile).toEqual([]);
    expect(await isOptedOut(customer, kept)).toBe(true);
  });
});
