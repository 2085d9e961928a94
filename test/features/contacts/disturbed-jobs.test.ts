import { env as bindings } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { MINUTE_MS } from "../../../src/shared/time/durations.ts";
import { bulk, eventsBy, finishedJob, jobOf, newContacts } from "../../support/bulk.ts";
import { stopClock } from "../../support/clock.ts";
import { override } from "../../support/override.ts";
import { readLog } from "../../support/read-log.ts";
import { faultyWorld, onShard } from "../../support/storage.ts";
import { type Customer, phoneEnding, World } from "../../support/world.ts";

beforeEach(stopClock);

describe("Disturbed jobs", () => {
  it("A bulk job changes each contact once, even if the queue delivers it repeatedly and in parallel", async () => {
    const customer = await new World().customer();
    await newContacts(customer, 700);
    const before = (await readLog(customer)).length;
    const started = await bulk(customer, { filter: { archived: false }, action: "add_tags", tags: ["VIP"] });
    await customer.world.cron();
    await customer.world.cron();
    await customer.world.queues.deliverDue(customer.world.env, 3);
    expect(await jobOf(customer, started)).toMatchObject({ status: "completed", total: 700, done: 700, failed: 0 });
    expect(eventsBy((await readLog(customer)).slice(before), "contact.updated")).toHaveLength(700);
  });

  it("A bulk job continues at its cursor after the storage failed during a step", { tags: "long" }, async () => {
    const { world, faults } = faultyWorld();
    const customer = await world.customer();
    await newContacts(customer, 700);
    const before = (await readLog(customer)).length;
    const started = await bulk(customer, { filter: { archived: false }, action: "add_tags", tags: ["VIP"] });
    faults.next(/update "jobs"/, "before");
    faults.next(/update "jobs"/, "after");
    await world.settle();
    expect(faults.spent).toBe(true);
    expect(await jobOf(customer, started)).toMatchObject({ status: "completed", total: 700, done: 700, failed: 0 });
    expect(eventsBy((await readLog(customer)).slice(before), "contact.updated")).toHaveLength(700);
  });

  it("A bulk job makes progress even if it waits for its turn longer than one run may last", async () => {
    const slow = override(bindings.SCAN_TURNS, {
      getByName: (name: string) => {
        const stub = bindings.SCAN_TURNS.getByName(name);
        return {
          take: (...request: Parameters<typeof stub.take>) => {
            customer.world.advance(MINUTE_MS);
            return stub.take(...request);
          },
          renew: (...turn: Parameters<typeof stub.renew>) => stub.renew(...turn),
          end: (...turn: Parameters<typeof stub.end>) => stub.end(...turn),
        };
      },
    });
    const customer: Customer = await new World({ SCAN_TURNS: slow }).customer();
    const ids = await newContacts(customer, 2);
    expect(await finishedJob(customer, { ids, action: "archive" })).toMatchObject({ status: "completed", done: 2 });
  });

  it("The cron finds a bulk job whose queue message is lost", async () => {
    const customer = await new World().customer();
    await newContacts(customer, 2);
    const started = await bulk(customer, { filter: { archived: false }, action: "archive" });
    customer.world.queues.messages.length = 0;
    await customer.world.cron();
    await customer.world.queues.deliverDue(customer.world.env);
    expect(await jobOf(customer, started)).toMatchObject({ status: "completed", done: 2 });
  });

  it("Repeated and concurrent requests with one Idempotency-Key create one bulk job", async () => {
    const customer = await new World().customer();
    const ids = await newContacts(customer, 2);
    const key = { "Idempotency-Key": "bulk-1" };
    const body = { ids, action: "add_tags", tags: ["VIP"] };
    const answers = await Promise.all([1, 2, 3].map(() => bulk(customer, body, key)));
    answers.push(await bulk(customer, body, key));
    expect(new Set(answers.map(({ body: answer }) => answer.job.id)).size).toBe(1);
    expect((await customer.call("GET", "/jobs")).body.jobs).toHaveLength(1);
    const other = await bulk(customer, { ...body, action: "remove_tags" }, key);
    expect([other.status, other.body.error.code]).toEqual([422, "idempotency_key_reused"]);
  });

  it("A bulk job runs after the earlier jobs of its workspace", async () => {
    const customer = await new World().customer();
    const [id] = await newContacts(customer, 1);
    for (const company of ["First", "Second", "Third"]) {
      await bulk(customer, { ids: [id], action: "set", set: { company } });
      customer.world.advance(1);
    }
    await customer.world.queues.deliverDue(customer.world.env, 2);
    expect((await customer.call("GET", `/contacts/${id}`)).body.contact.company).toBe("Third");
  });

  it("A bulk job opts out both numbers of a person if the person's contacts merge before the job reaches them", async () => {
    const customer = await new World().customer();
    const phones = [phoneEnding("1001"), phoneEnding("1002")];
    const ids: string[] = [];
    for (const phone of phones) ids.push((await customer.call("POST", "/contacts", { phone })).body.contact.id);
    const [kept, removed] = ids;
    await bulk(customer, { ids, action: "set", set: { company: "Acme" } });
    const started = await bulk(customer, { ids: [removed], action: "opt_out" });
    const merge = await customer.call("POST", `/contacts/${kept}/merge`, { from: removed });
    expect(merge.status).toBe(200);
    await customer.world.queues.deliverDue(customer.world.env, 2);
    expect(await jobOf(customer, started)).toMatchObject({ status: "completed", total: 1, done: 1, failed: 0 });
    expect((await customer.call("GET", `/contacts/${kept}`)).body.contact.is_unsubscribed).toBe(true);
    for (const to of phones) expect((await customer.send(to)).body.error.code).toBe("unsubscribed");
    const optOuts = eventsBy(await readLog(customer), "contact.opted_out");
    expect(optOuts.map(({ id }) => id)).toEqual([kept]);
  });

  it("If contacts merge during a bulk job that opts out other contacts, the merged contact stays subscribed", async () => {
    const customer = await new World().customer();
    const [other, kept, removed] = await newContacts(customer, 3);
    await bulk(customer, { ids: [other], action: "opt_out" });
    await customer.call("POST", `/contacts/${kept}/merge`, { from: removed });
    await customer.world.queues.deliverDue(customer.world.env);
    expect((await customer.call("GET", `/contacts/${kept}`)).body.contact.is_unsubscribed).toBe(false);
  });

  it("A bulk job is deleted after 30 days", async () => {
    const customer = await new World().customer();
    await newContacts(customer, 1);
    const job = await finishedJob(customer, { filter: { archived: false }, action: "archive" });
    customer.world.advance(30 * 86_400_000 - 60_000);
    await customer.world.cron();
    expect((await customer.call("GET", `/jobs/${job.id}`)).status).toBe(200);
    customer.world.advance(120_000);
    await customer.world.cron();
    expect(await onShard(customer, "SELECT 1 FROM jobs WHERE id = ?", job.id)).toEqual([]);
  });
});
