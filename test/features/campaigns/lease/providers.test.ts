import { beforeEach, describe, expect, it } from "vitest";
import { stopClock } from "../../../support/clock.ts";
import { addPeople, campaign, change, numberOf, recipientsOf, startCampaign } from "../../../support/campaigns.ts";
import { CloudStandIn } from "../../../support/providers/cloud.ts";
import { graphError } from "../../../support/providers/graph-error.ts";
import {
  connectionOf,
  linkedCustomer,
  playInEachTest,
  playProvider,
  report,
} from "../../../support/providers/linked.ts";
import { json, type StandIn } from "../../../support/providers/stand-in.ts";
import { WahaStandIn } from "../../../support/providers/waha.ts";
import { createTemplate } from "../../../support/templates.ts";
import type { Customer, World } from "../../../support/world.ts";

let cloud: CloudStandIn;
playInEachTest(() => (cloud = new CloudStandIn()));
beforeEach(stopClock);

const order = {
  id: "1",
  name: "order",
  language: "en_US",
  status: "APPROVED",
  category: "UTILITY",
  parameter_format: "POSITIONAL",
  components: [
    { type: "HEADER", format: "TEXT", text: "For {{1}}" },
    { type: "BODY", text: "Order {{1}} of {{2}} is on its way." },
  ],
};

/** A customer of Meta with this number of people and the template `order`. */
async function official(people: number) {
  cloud.templates = [order];
  const customer = await linkedCustomer(cloud);
  await customer.manage("POST", `/connections/${customer.connectionId}/sync-templates`);
  await addPeople(customer, people);
  const [template] = (await customer.call("GET", "/templates?source=external")).body.templates;
  const fields = { template_id: template.id, channel: "official", variables: ["1042", "{{first_name}}", "{{phone}}"] };
  return { world: customer.world, customer, fields };
}

async function begin(customer: Customer, fields: object): Promise<string> {
  const { status, body } = await startCampaign(customer, { ...fields });
  expect(status, JSON.stringify(body)).toBe(201);
  return body.campaign_id;
}

/** Makes the stand-in report a status of every accepted message. */
async function reportAll(customer: Customer, world: World, standIn: StandIn, status: "delivered" | "read" | "failed") {
  for (const handed of standIn.handed)
    await report(customer, standIn.status(handed, handed.request.biz_opaque_callback_data ?? "", status), 2);
  await world.settle({ copies: 2 });
}

describe("Campaigns through the WhatsApp Cloud API", () => {
  it("A WhatsApp campaign sends the template with each recipient's values, and statuses change its counts", async () => {
    const { world, customer, fields } = await official(3);
    const id = await begin(customer, fields);
    await world.settle();
    expect(await campaign(customer, id)).toMatchObject({ status: "completed", counts: { sent: 3, pending: 0 } });
    expect(new Set(cloud.handed.map(({ to }) => to)).size).toBe(3);
    expect(cloud.handed[0]?.request).toMatchObject({
      type: "template",
      template: {
        name: "order",
        language: { code: "en_US" },
        components: [
          { type: "header", parameters: [{ type: "text", text: numberOf(0) }] },
          {
            type: "body",
            parameters: [
              { type: "text", text: "1042" },
              { type: "text", text: "Person" },
            ],
          },
        ],
      },
    });
    const [recipient] = await recipientsOf(customer, id);
    expect(await customer.message(recipient.message_id)).toMatchObject({
      body: expect.stringContaining(`Order 1042 of Person is on its way.`),
      delivery: "sent",
    });
    await reportAll(customer, world, cloud, "read");
    expect((await campaign(customer, id)).counts).toMatchObject({ read: 3, sent: 0 });
    await reportAll(customer, world, cloud, "delivered");
    expect((await campaign(customer, id)).counts).toMatchObject({ read: 3, delivered: 0 });
  });

  it("A WhatsApp campaign counts a failure that is reported after the send, and a delivery that is reported even later", async () => {
    const { world, customer, fields } = await official(2);
    const id = await begin(customer, fields);
    await world.settle();
    await reportAll(customer, world, cloud, "failed");
    expect(await campaign(customer, id)).toMatchObject({ status: "completed", counts: { failed: 2, sent: 0 } });
    expect(await recipientsOf(customer, id, "failed")).toMatchObject([
      { reason: "undeliverable" },
      { reason: "undeliverable" },
    ]);
    await reportAll(customer, world, cloud, "delivered");
    expect((await campaign(customer, id)).counts).toMatchObject({ delivered: 2, failed: 0 });
  });

  it("A WhatsApp message with a lost response stays `unknown` until a status settles it, and is never sent again", async () => {
    const { world, customer, fields } = await official(2);
    cloud.loseNext();
    const id = await begin(customer, fields);
    await world.settle();
    expect(await campaign(customer, id)).toMatchObject({ status: "completed", counts: { sent: 1, unknown: 1 } });
    expect(cloud.handed).toHaveLength(2);
    await reportAll(customer, world, cloud, "delivered");
    expect((await campaign(customer, id)).counts).toMatchObject({ delivered: 2, unknown: 0 });
  });

  it.each([
    ["the spam limit", () => graphError(131048, "Spam rate limit hit"), "rate_limited", "active"],
    ["a paused template", () => graphError(132015, "Template is paused"), "template_rejected", "active"],
    ["a locked account", () => graphError(131031, "Account has been locked"), "connection_unavailable", "error"],
    ["an expired token", () => graphError(190, "Session has expired", 401), "connection_unavailable", "error"],
  ])("A WhatsApp campaign pauses after %s and continues after a resume", async (_, reply, code, status) => {
    const { world, customer, fields } = await official(40);
    cloud.next(reply);
    const id = await begin(customer, fields);
    await world.settle();
    const paused = await campaign(customer, id);
    expect(paused).toMatchObject({ status: "paused", last_error: code });
    expect(paused.counts.pending).toBeGreaterThan(0);
    expect((await connectionOf(customer)).status).toBe(status);
    const before = cloud.handed.length;
    await world.settle();
    expect(cloud.handed).toHaveLength(before);
    const config = { access_token: cloud.settings.access_token };
    await customer.manage("PATCH", `/connections/${customer.connectionId}`, { config });
    await change(customer, id, "resume");
    await world.settle();
    expect(await campaign(customer, id)).toMatchObject({ status: "completed", counts: { sent: 39, failed: 1 } });
    expect(new Set(cloud.handed.map(({ to }) => to)).size).toBe(39);
  });

  it("A WhatsApp campaign waits as long as a busy provider requests, then sends to every recipient once", async () => {
    const { world, customer, fields } = await official(40);
    cloud.next(
      () => graphError(80007, "Rate limit issues", 400),
      () => graphError(2, "Service temporarily unavailable", 503),
      () => graphError(131049, "Not delivered to keep up engagement"),
    );
    const id = await begin(customer, fields);
    await world.settle();
    expect(await campaign(customer, id)).toMatchObject({ status: "completed", counts: { sent: 39, failed: 1 } });
    expect(new Set(cloud.handed.map(({ to }) => to)).size).toBe(39);
    expect(cloud.handed).toHaveLength(39);
  });

  it("A WhatsApp campaign stops sending if a sync has removed its template", async () => {
    const { world, customer, fields } = await official(3);
    const id = await begin(customer, fields);
    cloud.templates = [];
    await customer.manage("POST", `/connections/${customer.connectionId}/sync-templates`);
    await world.settle();
    expect(await campaign(customer, id)).toMatchObject({ status: "paused", last_error: "template_not_approved" });
    await change(customer, id, "resume");
    await world.settle();
    expect(await campaign(customer, id)).toMatchObject({ status: "paused", last_error: "template_not_approved" });
    expect((await change(customer, id, "cancel")).body.campaign.counts).toMatchObject({ skipped: 3, pending: 0 });
    expect(cloud.handed).toEqual([]);
  });
});

describe("Campaigns through WAHA", () => {
  it("A WAHA campaign pauses if its session no longer exists", async () => {
    const waha = new WahaStandIn();
    playProvider(waha);
    const customer = await linkedCustomer(waha);
    const { world } = customer;
    await addPeople(customer, 6);
    const template_id = await createTemplate(customer, "Hello {{name}}");
    const gone = () =>
      json({ error: "Session status is not as expected", status: "STOPPED", expected: ["WORKING"] }, 422);
    waha.next(gone);
    const id = await begin(customer, { template_id, channel: "unofficial" });
    await world.settle();
    expect(await campaign(customer, id)).toMatchObject({ status: "paused", last_error: "connection_unavailable" });
    expect(waha.handed).toEqual([]);
    await report(customer, waha.deliver("session.status", { name: "default", status: "WORKING" }));
    await change(customer, id, "resume");
    await world.settle();
    const { status, counts } = await campaign(customer, id);
    expect([status, counts.pending, counts.sent + counts.failed]).toEqual(["completed", 0, 6]);
    expect(new Set(waha.handed.map(({ to }) => to)).size).toBe(waha.handed.length);
  });
});
