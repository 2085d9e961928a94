import { beforeEach, describe, expect, it } from "vitest";
import { addPeople, campaign, change, customerWith, started } from "../../../support/campaigns.ts";
import { stopClock } from "../../../support/clock.ts";
import { draftOf, patch, shown } from "../../../support/drafts.ts";
import { changesOf, expectLogToTell } from "../../../support/rebuild.ts";
import { onShard } from "../../../support/storage.ts";
import type { Customer } from "../../../support/world.ts";

beforeEach(stopClock);

const HOUR = 3_600_000;
const inHours = (hours: number) => new Date(Date.now() + hours * HOUR).toISOString();
const start = (customer: Customer, id: string, body: object = {}, headers = {}) =>
  customer.call("POST", `/campaigns/${id}/start`, body, { headers });

describe("Copies of campaigns", () => {
  it("A copy of a campaign is a draft with the same request, sends nothing, and can be started", async () => {
    const { world, customer } = await customerWith(3);
    const source = await started(customer, { name: "May news", variables: ["{{name}}"] });
    await world.settle();
    const { status, body } = await change(customer, source, "duplicate");
    const { campaign_id: id, template_id } = body.campaign;
    expect(status).toBe(201);
    expect(body.campaign).toMatchObject({
      name: "May news (copy)",
      status: "draft",
      recipient_count: 0,
      counts: { pending: 0, skipped: 0 },
      started_at: null,
    });
    expect(template_id).toBe((await campaign(customer, source)).template_id);
    world.advance(48 * HOUR);
    await world.cron();
    await world.settle();
    expect((await campaign(customer, id)).status).toBe("draft");
    expect(await customer.outbox()).toHaveLength(3);
    expect(await start(customer, id)).toMatchObject({
      status: 200,
      body: { campaign_id: id, recipient_count: 3, status: "running" },
    });
    await world.settle();
    expect(await campaign(customer, id)).toMatchObject({ status: "completed", counts: { read: 3 } });
    expect(await customer.outbox()).toHaveLength(6);
    await expectLogToTell(customer);
  });

  it("Copies of a campaign with the longest possible name have unique names within the length limit", async () => {
    const { customer } = await customerWith(1);
    const id = await started(customer, { name: "x".repeat(120), scheduled_at: inHours(1) });
    const copy = async (of: string) => (await change(customer, of, "duplicate")).body.campaign;
    const first = await copy(id);
    const names = [first.name, (await copy(id)).name, (await copy(first.campaign_id)).name];
    expect(names.map((name) => name.replace(/^x+/, ""))).toEqual([" (copy)", " (copy 2)", " (copy 3)"]);
    for (const name of names) expect(name.length).toBeLessThanOrEqual(120);
  });

  it("Copies of a campaign are numbered in their names, even if they are created concurrently", async () => {
    const { customer } = await customerWith(1);
    const id = await started(customer, { name: "A", scheduled_at: inHours(1) });
    const copies = await Promise.all([1, 2, 3, 4, 5].map(() => change(customer, id, "duplicate")));
    expect(copies.map(({ status, body }) => `${status} ${body.campaign.name}`).toSorted()).toEqual([
      "201 A (copy 2)",
      "201 A (copy 3)",
      "201 A (copy 4)",
      "201 A (copy 5)",
      "201 A (copy)",
    ]);
    expect((await change(customer, copies[0]?.body.campaign.campaign_id, "duplicate")).body.campaign.name).toBe(
      "A (copy 6)",
    );
  });

  it("Ten concurrent requests to copy a campaign create copies with unique names, and at most one request fails", async () => {
    const { customer } = await customerWith(1);
    const id = await started(customer, { name: "A", scheduled_at: inHours(1) });
    const copies = await Promise.all(Array.from({ length: 10 }, () => change(customer, id, "duplicate")));
    const made = copies.filter(({ status }) => status === 201);
    expect(made.length).toBeGreaterThanOrEqual(9);
    expect(new Set(made.map(({ body }) => body.campaign.name)).size).toBe(made.length);
  });

  it("A copy of a campaign keeps times that are in the future, but not times in the past", async () => {
    const { world, customer } = await customerWith(1);
    const [scheduled_at, send_before] = [inHours(2), inHours(4)];
    const id = await started(customer, { scheduled_at, send_before });
    const times = async () => {
      const { body } = await change(customer, id, "duplicate");
      return [body.campaign.scheduled_at, body.campaign.send_before];
    };
    expect(await times()).toEqual([scheduled_at, send_before]);
    world.setTime(Date.parse(scheduled_at));
    expect(await times()).toEqual([null, send_before]);
    world.setTime(Date.parse(send_before));
    expect(await times()).toEqual([null, null]);
  });

  it("Repeated requests with one Idempotency-Key copy a campaign once, and never copy another workspace's campaign", async () => {
    const { world, customer } = await customerWith(1);
    const id = await started(customer, { scheduled_at: inHours(1) });
    const copies = await Promise.all(
      [1, 2, 3].map(() => change(customer, id, "duplicate", { "Idempotency-Key": "copy-1" })),
    );
    expect(new Set(copies.map(({ body }) => body.campaign.campaign_id)).size).toBe(1);
    expect((await customer.call("GET", "/campaigns")).body.campaigns).toHaveLength(2);
    expect((await change(await world.customer(), id, "duplicate")).status).toBe(404);
  });

  it("The campaign.created event of a copied campaign contains its name, status and variables", async () => {
    const { customer } = await customerWith(1);
    const id = await draftOf(customer, { name: "News", variables: ["you"] });
    const [created] = (await changesOf(customer)).filter((event) => event.id === id);
    expect(created).toMatchObject({
      type: "campaign.created",
      changes: { name: [null, "News (copy)"], status: [null, "draft"], variables: [null, { 1: "you" }] },
    });
  });
});

describe("Drafts", () => {
  it("A draft whose scheduled time has passed can be previewed but not started", async () => {
    const { world, customer } = await customerWith(2);
    const [id, late] = [await draftOf(customer), await draftOf(customer)];
    const { scheduled_at } = await shown(customer, id);
    expect((await start(customer, id)).body).toMatchObject({ status: "scheduled", recipient_count: 2 });
    world.setTime(Date.parse(scheduled_at));
    await world.settle();
    expect((await campaign(customer, id)).status).toBe("completed");
    expect(await start(customer, late)).toMatchObject({
      status: 400,
      body: { error: { code: "validation_failed", details: [{ path: "scheduled_at" }] } },
    });
    const preview = await customer.call("POST", `/campaigns/${late}/preview`);
    expect(preview).toMatchObject({ status: 200, body: { recipient_count: 2 } });
    await patch(customer, late, { scheduled_at: null });
    expect((await start(customer, late)).body.status).toBe("running");
    await world.settle();
    await expectLogToTell(customer);
  });

  it("A draft starts once, even if requests are concurrent or repeated", async () => {
    const { world, customer } = await customerWith(5);
    const id = await draftOf(customer);
    await patch(customer, id, { scheduled_at: null });
    const key = { "Idempotency-Key": "start-1" };
    const first = await start(customer, id, {}, key);
    const repeated = await start(customer, id, {}, key);
    expect([first.status, repeated.headers.get("Idempotent-Replayed")]).toEqual([200, "true"]);
    expect(repeated.body).toEqual(first.body);
    const unkeyed = await start(customer, id);
    expect([unkeyed.status, unkeyed.body]).toEqual([200, first.body]);
    await world.settle({ copies: 2 });
    expect(await customer.outbox()).toHaveLength(5);
    expect(await start(customer, id)).toMatchObject({ status: 409, body: { error: { code: "invalid_state" } } });

    const other = await draftOf(customer);
    await patch(customer, other, { scheduled_at: null });
    const answers = await Promise.all([1, 2, 3].map(() => start(customer, other)));
    for (const { status } of answers) expect(status).toBe(200);
    const startsOf = async (campaignId: string) =>
      (await changesOf(customer)).filter((event) => event.type === "campaign.started" && event.id === campaignId);
    for (const each of [id, other]) expect(await startsOf(each)).toHaveLength(1);
    await world.settle({ copies: 2 });
    expect(await customer.outbox()).toHaveLength(10);
  });

  it("A draft starts only if its audience has not changed since the preview", async () => {
    const { customer } = await customerWith(2);
    const id = await draftOf(customer);
    const preview = () => customer.call("POST", `/campaigns/${id}/preview`);
    const { body } = await preview();
    expect(body).toMatchObject({ recipient_count: 2, samples: [{ body: "Hello Person 0" }, {}] });
    await addPeople(customer, 1, 50);
    const changed = await start(customer, id, { audience_token: body.audience_token });
    expect(changed).toMatchObject({
      status: 409,
      body: { error: { code: "conflict", details: { recipient_count: 3 } } },
    });
    const { audience_token } = (await preview()).body;
    await patch(customer, id, { variables: { name: "you" } });
    expect((await start(customer, id, { audience_token })).status).toBe(400);
    const again = (await preview()).body.audience_token;
    expect((await start(customer, id, { audience_token: again })).status).toBe(200);
    expect((await preview()).status).toBe(409);
  });

  it("A read-only key can preview a draft but not start it", async () => {
    const { world, customer } = await customerWith(2);
    const id = await draftOf(customer);
    const reader = { name: "Reader", connection_id: customer.connectionId, read_only: true };
    const { key } = (await customer.manage("POST", "/api-keys", reader)).body;
    const asReader = (below: string) =>
      world.request("POST", `/api/v1/campaigns/${id}${below}`, undefined, { token: key });
    expect(await asReader("/preview")).toMatchObject({ status: 200, body: { recipient_count: 2 } });
    for (const below of ["/start", "/duplicate", "/cancel", "/preview/start"])
      expect((await asReader(below)).status).toBe(403);
    expect((await campaign(customer, id)).status).toBe("draft");
  });

  it("A draft can be cancelled, but neither paused nor resumed, and appears in the list", async () => {
    const { world, customer } = await customerWith(2);
    const id = await draftOf(customer);
    for (const verb of ["pause", "resume"]) {
      expect(await change(customer, id, verb)).toMatchObject({
        status: 409,
        body: { error: { code: "invalid_state", details: { status: "draft" } } },
      });
    }
    const { campaigns } = (await customer.call("GET", "/campaigns")).body;
    expect(campaigns).toContainEqual(expect.objectContaining({ campaign_id: id, status: "draft" }));
    expect((await change(customer, id, "cancel")).body.campaign.status).toBe("cancelled");
    expect((await start(customer, id)).status).toBe(409);
    expect((await start(await world.customer(), id)).status).toBe(404);
    expect((await (await world.customer()).call("POST", `/campaigns/${id}/preview`)).status).toBe(404);
  });

  it("A template that a draft uses cannot be deleted, and a draft cannot start if the provider has removed its template", async () => {
    const { customer } = await customerWith(2);
    const id = await draftOf(customer);
    const { template_id } = await campaign(customer, id);
    expect((await customer.call("DELETE", `/templates/${template_id}`)).status).toBe(409);
    await onShard(customer, "UPDATE templates SET status = 'REJECTED' WHERE id = ?", template_id);
    expect(await start(customer, id)).toMatchObject({
      status: 422,
      body: { error: { code: "template_not_approved" } },
    });
    expect((await campaign(customer, id)).status).toBe("draft");
  });
});
