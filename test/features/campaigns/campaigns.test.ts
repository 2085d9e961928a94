import { beforeEach, describe, expect, it } from "vitest";
import { stopClock } from "../../support/clock.ts";
import {
  addPeople,
  campaign,
  campaignOf,
  numberOf,
  recipientsOf,
  startCampaign,
  started,
} from "../../support/campaigns.ts";
import { costOf } from "../../support/storage.ts";
import { createTemplate, findExternalTemplate, refusal } from "../../support/templates.ts";
import { World } from "../../support/world.ts";

beforeEach(stopClock);

const contact = { name: "Ada", phone: numberOf(0) };

describe("Campaign starts", () => {
  it("A campaign start returns the number of recipients and sends one message to each recipient", async () => {
    const world = new World();
    const customer = await world.customer();
    await addPeople(customer, 250);
    const answer = await startCampaign(customer, { body: "Hello {{first_name|there}}", name: "Spring" });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      success: true,
      campaign_id: expect.stringMatching(/^cmp_[0-9a-z]{26}$/),
      recipient_count: 250,
      status: "running",
    });
    await world.settle();
    expect(await campaign(customer, answer.body.campaign_id)).toMatchObject({
      name: "Spring",
      status: "completed",
      recipient_count: 250,
      counts: { pending: 0, sent: 0, delivered: 0, read: 250, failed: 0, skipped: 0, unknown: 0 },
      last_error: null,
      rate_per_second: null,
      audience_ready_at: expect.any(String),
      completed_at: expect.any(String),
    });
    const outbox = await customer.outbox("?limit=100");
    expect(new Set(outbox.map(({ to }) => to)).size).toBe(100);
    expect(outbox[0].body).toMatch(/^Hello Person$/);
    const recipients = await recipientsOf(customer, answer.body.campaign_id);
    expect(new Set(recipients.map(({ phone }) => phone)).size).toBe(250);
    expect(recipients[0]).toMatchObject({ phone: numberOf(0), state: "read", reason: null });
    expect(await customer.message(recipients[0].message_id)).toMatchObject({
      campaign_id: answer.body.campaign_id,
      body: "Hello Person",
      to: numberOf(0),
      delivery: "read",
    });
  });

  it("A campaign start takes three round trips, plus one per few thousand contacts", async () => {
    const customer = await new World().customer();
    await addPeople(customer, 20);
    const few = await startCampaign(customer);
    await addPeople(customer, 12_000, 20);
    const many = await startCampaign(customer);
    expect(costOf(few).trips).toBe(3);
    expect(costOf(many).trips).toBeGreaterThan(3);
    expect(costOf(many).trips).toBeLessThanOrEqual(2 + 12_020 / 500);
    expect(many.body.recipient_count).toBe(12_020);
    expect(costOf(few).rows_written).toBe(costOf(many).rows_written);
  });

  it("A campaign starts once per Idempotency-Key, even with concurrent requests", async () => {
    const world = new World();
    const customer = await world.customer();
    await addPeople(customer, 3);
    const body = await campaignOf(customer);
    const ask = () => customer.call("POST", "/campaigns", body, { headers: { "Idempotency-Key": "spring" } });
    const answers = await Promise.all([ask(), ask(), ask()]);
    await world.settle();
    answers.push(await ask());
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(new Set(answers.map((answer) => answer.body.campaign_id)).size).toBe(1);
    expect(await customer.outbox()).toHaveLength(3);
  });

  it("A campaign start selects contacts by all or any tags, by status and by segment", async () => {
    const customer = await new World().customer();
    const people = [
      { phone: numberOf(0), tags: ["VIP", "New"], status: "hot", company: "Acme" },
      { phone: numberOf(1), tags: ["VIP"], status: "hot" },
      { phone: numberOf(2), tags: ["New"], status: "cold", company: "Acme" },
      { phone: numberOf(3) },
    ];
    await customer.call("POST", "/contacts/batch", { contacts: people });
    const filter = { match: "all", conditions: [{ field: "company", op: "eq", value: "ACME" }] };
    const segment_id = (await customer.call("POST", "/segments", { name: "Acme", filter })).body.segment.id;
    const count = async (fields: object) => (await startCampaign(customer, { ...fields })).body.recipient_count;
    expect(await count({})).toBe(4);
    expect(await count({ filter_tags: ["vip", "New"] })).toBe(1);
    expect(await count({ filter_tags: ["VIP", "new"], filter_tags_mode: "any" })).toBe(3);
    expect(await count({ filter_status: "hot" })).toBe(2);
    expect(await count({ segment_id })).toBe(2);
    expect(await count({ segment_id, filter_tags: ["VIP"], filter_status: "hot" })).toBe(1);
  });

  it("A campaign start excludes archived, unsubscribed and unreachable contacts, and returns their counts by reason if none remain", async () => {
    const customer = await new World().customer();
    const make = async (fields: object) => (await customer.call("POST", "/contacts", fields)).body.contact.id;
    await make({ email: "ada@example.com", is_unsubscribed: true });
    await make({ email: "bob@example.com" });
    await make({ phone: numberOf(1), is_unsubscribed: true });
    await customer.call("DELETE", `/contacts/${await make({ phone: numberOf(2) })}`);
    const excluded = { archived: 1, unsubscribed: 2, marketing_opt_out: 0, no_phone: 1, no_address: 0, duplicate: 0 };
    expect(await refusal(startCampaign(customer))).toEqual([422, "no_recipients", { excluded }]);
    await make(contact);
    const preview = await customer.call("POST", "/campaigns/preview", await campaignOf(customer));
    expect(preview.body).toMatchObject({ recipient_count: 1, excluded });
  });

  it("A campaign uses the API key's connection if it has the campaign's channel, otherwise the channel's default connection", async () => {
    const world = new World();
    const customer = await world.customer();
    await addPeople(customer, 1);
    const official = { name: "Official", channel: "official", provider: "sandbox", config: {} };
    const template_id = await createTemplate(customer, "Hello");
    const start = (fields: object) => startCampaign(customer, { template_id, ...fields });
    expect(await refusal(start({ channel: "official" }))).toEqual([422, "channel_mismatch", null]);
    const { connection } = (await customer.manage("POST", "/connections", official)).body;
    expect(await refusal(start({ channel: "official" }))).toEqual([422, "channel_mismatch", null]);
    const external = await findExternalTemplate(customer, "sandbox_order_update");
    expect(await refusal(start({ template_id: external }))).toEqual([422, "channel_mismatch", null]);
    const answer = await start({ template_id: external, channel: "official", variables: ["1042", "{{first_name}}"] });
    expect(answer.status).toBe(201);
    expect(await campaign(customer, answer.body.campaign_id)).toMatchObject({ connection_id: connection.id });
    await world.settle();
    const { deliveries } = (await customer.manage("GET", `/connections/${connection.id}/outbox`)).body;
    expect(deliveries).toMatchObject([{ body: expect.stringContaining("1042") }]);
  });

  it.each([
    [{ filter_tag: ["VIP"] }, "filter_tag"],
    [{ filter_tags: [] }, "filter_tags"],
    [{ filter_tags: null }, "filter_tags"],
    [{ filter_tags: ["Nobody"] }, "filter_tags.0"],
    [{ filter_tags_mode: "any" }, "filter_tags_mode"],
    [{ filter_status: "" }, "filter_status"],
    [{ segment_id: null }, "segment_id"],
    [{ channel: "sms" }, "channel"],
    [{ name: " " }, "name"],
    [{ variables: ["a", "b"] }, "variables"],
    [{ variables: ["{{1}}"] }, "variables.0"],
    [{ variables: [" "] }, "variables.0"],
    [{ scheduled_at: "tomorrow" }, "scheduled_at"],
    [{ scheduled_at: "2040-01-01T00:00:00" }, "scheduled_at"],
    [{ scheduled_at: "2040-01-01T00:00:00+02:00" }, "scheduled_at"],
    [{ scheduled_at: "2020-01-01T00:00:00Z" }, "scheduled_at"],
    [{ scheduled_at: "2999-01-01T00:00:00Z" }, "scheduled_at"],
    [{ send_before: "2020-01-01T00:00:00Z" }, "send_before"],
  ])("A campaign start with %j is rejected", async (fields, path) => {
    const customer = await new World().customer();
    await addPeople(customer, 1);
    const [status, code, details] = await refusal(startCampaign(customer, fields));
    expect([status, code]).toEqual([400, "validation_failed"]);
    expect(details.map((fault: { path: string }) => fault.path)).toContain(path);
  });

  it("A campaign start rejects unknown or deleted records, templates that are not approved, and variables without a value", async () => {
    const customer = await new World().customer({ channel: "official" });
    await addPeople(customer, 1);
    const official = { channel: "official" };
    expect(await refusal(startCampaign(customer, { template_id: "tpl_none" }))).toMatchObject([404, "not_found", null]);
    const template_id = await findExternalTemplate(customer, "sandbox_order_update");
    expect(await refusal(startCampaign(customer, { ...official, template_id, segment_id: "seg_none" }))).toMatchObject([
      404,
      "not_found",
      null,
    ]);
    expect(await refusal(startCampaign(customer, { ...official, template_id }))).toEqual([
      422,
      "missing_variable",
      { variables: ["1", "2"] },
    ]);
    const pending = await findExternalTemplate(customer, "sandbox_promo");
    expect(await refusal(startCampaign(customer, { ...official, template_id: pending }))).toMatchObject([
      422,
      "template_not_approved",
      { status: "PENDING" },
    ]);
    await customer.call("POST", "/contacts", { ...contact, tags: ["VIP"] });
    const filter = { match: "all", conditions: [{ field: "tags", op: "has_any", value: ["VIP"] }] };
    const segment_id = (await customer.call("POST", "/segments", { name: "Best", filter })).body.segment.id;
    const [tag] = (await customer.call("GET", "/tags")).body.tags;
    await customer.call("DELETE", `/tags/${tag.id}`);
    expect(
      await refusal(startCampaign(customer, { ...official, template_id, segment_id, variables: ["a", "b"] })),
    ).toMatchObject([409, "invalid_state", { status: "invalid" }]);
  });
});

describe("Campaign list", () => {
  it("The list of campaigns contains all campaigns, newest first, with or without pages", async () => {
    const world = new World();
    const customer = await world.customer();
    await addPeople(customer, 1);
    const ids: string[] = [];
    for (let n = 0; n < 3; n++) {
      world.advance(1);
      ids.unshift(await started(customer, { name: `Number ${n}` }));
    }
    const all = (await customer.call("GET", "/campaigns")).body;
    expect(all.campaigns.map((each: { campaign_id: string }) => each.campaign_id)).toEqual(ids);
    expect(all.next_cursor).toBeNull();
    const first = (await customer.call("GET", "/campaigns?limit=2")).body;
    const second = (await customer.call("GET", `/campaigns?limit=2&cursor=${first.next_cursor}`)).body;
    expect([...first.campaigns, ...second.campaigns].map(({ campaign_id }) => campaign_id)).toEqual(ids);
  });
});

describe("Templates and connections of campaigns", () => {
  it("A template or connection of an unfinished campaign can be neither changed nor deleted", async () => {
    const world = new World();
    const customer = await world.customer();
    await addPeople(customer, 1);
    const template_id = await createTemplate(customer, "Hello");
    const scheduled_at = new Date(Date.now() + 3_600_000).toISOString();
    const id = await started(customer, { template_id, scheduled_at });
    const used = [409, "conflict", { field: "template_id", campaign_id: id }];
    expect(await refusal(customer.call("PATCH", `/templates/${template_id}`, { body: "Bye" }))).toEqual(used);
    expect(await refusal(customer.call("DELETE", `/templates/${template_id}`))).toEqual(used);
    await customer.manage("POST", `/api-keys/${customer.keyId}/revoke`);
    const key = (
      await customer.manage("POST", "/connections", {
        name: "Other",
        channel: "unofficial",
        provider: "sandbox",
        config: {},
      })
    ).body.connection.id;
    const other = (await customer.manage("POST", "/api-keys", { name: "Other", connection_id: key })).body.key;
    expect(await refusal(customer.manage("DELETE", `/connections/${customer.connectionId}`))).toEqual([
      409,
      "conflict",
      { field: "connection_id", campaign_id: id },
    ]);
    await world.request("POST", `/api/v1/campaigns/${id}/cancel`, undefined, { token: other });
    expect((await customer.manage("DELETE", `/connections/${customer.connectionId}`)).status).toBe(200);
    expect(
      (await world.request("DELETE", `/api/v1/templates/${template_id}`, undefined, { token: other })).status,
    ).toBe(200);
  });
});
