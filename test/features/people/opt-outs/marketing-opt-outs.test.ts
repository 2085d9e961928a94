import { describe, expect, it } from "vitest";
import { addPeople, campaign, numberOf, recipientsOf, startCampaign } from "../../../support/campaigns.ts";
import { addContact, contactOf, preference, shop } from "../../../support/marketing.ts";
import { CloudStandIn } from "../../../support/providers/cloud.ts";
import { playInEachTest, report } from "../../../support/providers/linked.ts";
import { faultyWorld, steps } from "../../../support/storage.ts";
import { refusal, sendTemplate } from "../../../support/templates.ts";
import { phoneEnding, World } from "../../../support/world.ts";

let cloud: CloudStandIn;

playInEachTest(() => (cloud = new CloudStandIn()));

describe("Marketing opt-outs", () => {
  it("A marketing template to a person who opted out of marketing is rejected, and the error contains the contact and the reason", async () => {
    const { customer, promo } = await shop(cloud);
    const to = phoneEnding("1234");
    await addContact(customer, to);
    await report(customer, preference(cloud, to, "stop"));
    const contact = await contactOf(customer, to);
    expect(contact).toMatchObject({ marketing_opt_out: true, is_unsubscribed: false });
    const answer = sendTemplate(customer, promo, { to });
    expect(await refusal(answer)).toEqual([
      422,
      "unsubscribed",
      { contact_id: contact.id, reason: "marketing_opt_out" },
    ]);
    expect(cloud.handed).toEqual([]);
  });

  it("A person who opted out of marketing receives replies and utility templates, but no marketing templates", async () => {
    const { customer, promo, receipt } = await shop(cloud);
    const to = phoneEnding("1234");
    await report(customer, cloud.inbound(to, "Where is my order?"));
    await report(customer, preference(cloud, to, "stop"));
    const [conversation] = (await customer.call("GET", "/conversations")).body.conversations;
    const reply = await customer.call("POST", `/conversations/${conversation.id}/messages`, { text: "On its way" });
    expect(reply.status).toBe(202);
    expect((await sendTemplate(customer, receipt, { to })).status).toBe(202);
    expect((await sendTemplate(customer, promo, { to })).status).toBe(422);
    await customer.world.settle();
    expect(cloud.handed.map(({ request }) => request.type)).toEqual(["text", "template"]);
    expect(conversation.unread_count).toBe(1);
  });

  it("A person who opted out of marketing is excluded from campaigns of every category", async () => {
    const { customer, promo, receipt } = await shop(cloud);
    await addPeople(customer, 3);
    await report(customer, preference(cloud, numberOf(1), "stop"));
    for (const template_id of [promo, receipt]) {
      const order = { template_id, channel: "official", variables: [] };
      const preview = await customer.call("POST", "/campaigns/preview", order);
      expect(preview.body).toMatchObject({
        recipient_count: 2,
        excluded: { archived: 0, unsubscribed: 0, marketing_opt_out: 1, no_phone: 0, no_address: 0, duplicate: 0 },
      });
      const { campaign_id } = (await startCampaign(customer, order)).body;
      await customer.world.settle();
      const phones = (await recipientsOf(customer, campaign_id)).map(({ phone }) => phone);
      expect(phones).toEqual([numberOf(0), numberOf(2)]);
    }
    expect(cloud.handed).toHaveLength(4);
  });

  it("A person who opts out of marketing during a campaign is skipped", async () => {
    const { customer, receipt } = await shop(cloud);
    await addPeople(customer, 3);
    const { campaign_id } = (
      await startCampaign(customer, { template_id: receipt, channel: "official", variables: [] })
    ).body;
    await customer.call("POST", `/campaigns/${campaign_id}/pause`);
    await customer.world.settle();
    await report(customer, preference(cloud, numberOf(1), "stop"));
    await customer.call("POST", `/campaigns/${campaign_id}/resume`);
    await customer.world.settle();
    expect(await recipientsOf(customer, campaign_id, "skipped")).toMatchObject([
      { phone: numberOf(1), reason: "marketing_opt_out", message_id: null },
    ]);
    expect(cloud.handed.map(({ to }) => to).toSorted((a, b) => a.localeCompare(b))).toEqual([numberOf(0), numberOf(2)]);
    expect(await campaign(customer, campaign_id)).toMatchObject({ status: "completed", counts: { skipped: 1 } });
  });

  it("A person who opted out of marketing does not receive an earlier marketing template that waits for a retry", async () => {
    const { customer, promo } = await shop(cloud);
    const to = phoneEnding("1234");
    cloud.next(cloud.failures.busy);
    const { message_id } = (await sendTemplate(customer, promo, { to })).body;
    await report(customer, preference(cloud, to, "stop"));
    await customer.world.settle();
    expect(await customer.message(message_id)).toMatchObject({
      delivery: "failed",
      error: { code: "unsubscribed", provider_code: null },
    });
    expect(cloud.handed).toEqual([]);
  });

  it("A person who opted in to marketing again receives marketing messages, even if late or repeated events arrive", async () => {
    const { customer, promo } = await shop(cloud);
    const to = phoneEnding("1234");
    await addContact(customer, to);
    const at = Date.now();
    customer.world.advance(10_000);
    await report(customer, preference(cloud, to, "resume", at + 5000));
    await report(customer, preference(cloud, to, "stop", at), 2);
    expect((await contactOf(customer, to)).marketing_opt_out).toBe(false);
    expect((await sendTemplate(customer, promo, { to })).status).toBe(202);
    await report(customer, preference(cloud, to, "stop", at + 7000));
    await report(customer, preference(cloud, to, "resume", at + 5000), 2);
    expect((await contactOf(customer, to)).marketing_opt_out).toBe(true);
  });

  it("A person who opted out of marketing stays opted out after a change of spelling, contact or number", async () => {
    const { customer, promo } = await shop(cloud);
    await report(customer, preference(cloud, "+551187654321", "stop"));
    expect((await customer.call("GET", "/contacts")).body.contacts).toEqual([]);
    const answer = await sendTemplate(customer, promo, { to: "+5511987654321" });
    expect([answer.status, answer.body.error.code]).toEqual([422, "unsubscribed"]);
    const { contact } = (await addContact(customer, "+5511987654321")).body;
    expect(contact.marketing_opt_out).toBe(true);
    customer.world.advance(2000);
    await report(customer, preference(cloud, "+551187654321", "stop"));
    const moved = await customer.call("PATCH", `/contacts/${contact.id}`, { phone: numberOf(7) });
    expect(moved.body.contact.marketing_opt_out).toBe(true);
  });

  it("A waiting marketing message is not sent if the owner of its number has opted out of marketing", async () => {
    const { world, faults } = faultyWorld();
    const { customer, promo } = await shop(cloud, world);
    const to = phoneEnding("1234");
    const { contact } = (await addContact(customer, to)).body;
    faults.next(steps.claim);
    const { message_id } = (await sendTemplate(customer, promo, { to })).body;
    await customer.call("PATCH", `/contacts/${contact.id}`, { phone: numberOf(7) });
    await report(customer, preference(cloud, to, "stop"));
    world.advance(60_000);
    await world.cron();
    await world.settle();
    expect([faults.spent, cloud.handed]).toEqual([true, []]);
    expect(await customer.message(message_id)).toMatchObject({ error: { code: "unsubscribed" } });
  });

  it("A person who opted out of marketing in one workspace is not opted out in other workspaces", async () => {
    const world = new World();
    const [one, other] = [await shop(cloud, world), await shop(cloud, world)];
    const to = phoneEnding("1234");
    await report(one.customer, preference(cloud, to, "stop"));
    expect((await sendTemplate(other.customer, other.promo, { to })).status).toBe(202);
    expect((await sendTemplate(one.customer, one.promo, { to })).status).toBe(422);
  });

  it("Only the person can opt in to marketing again", async () => {
    const { customer } = await shop(cloud);
    const to = phoneEnding("1234");
    const { contact } = (await addContact(customer, to)).body;
    await report(customer, preference(cloud, to, "stop"));
    const patch = (body: object) => customer.call("PATCH", `/contacts/${contact.id}`, body);
    const refused = await patch({ marketing_opt_out: false });
    expect(refused.body.error.details).toMatchObject([{ path: "marketing_opt_out", code: "read_only" }]);
    expect((await patch({ marketing_opt_out: true, company: "Acme" })).status).toBe(200);
    expect((await customer.call("POST", "/contacts", { phone: to, marketing_opt_out: false })).status).toBe(200);
    expect((await contactOf(customer, to)).marketing_opt_out).toBe(true);
  });

  it("Segments find people who opted out of marketing, and the console and exports mark these people", async () => {
    const { customer } = await shop(cloud);
    const to = phoneEnding("1234");
    const { contact } = (await addContact(customer, to)).body;
    await addContact(customer, phoneEnding("1235"));
    await report(customer, preference(cloud, to, "stop"));
    const filter = { match: "all", conditions: [{ field: "marketing_opt_out", op: "eq", value: true }] };
    const { segment } = (await customer.call("POST", "/segments", { name: "No marketing", filter })).body;
    const { contacts } = (await customer.call("GET", `/segments/${segment.id}/contacts`)).body;
    expect(contacts.map(({ id }: { id: string }) => id)).toEqual([contact.id]);
    const agent = await customer.member("agent");
    const at = `/console/${customer.workspaceId}/contacts`;
    expect((await agent.get(`${at}/${contact.id}`)).body).toContain("turned off marketing messages in WhatsApp");
    expect((await agent.get(at)).body).toContain("Marketing off");
  });
});
