import { beforeEach, describe, expect, it } from "vitest";
import { campaign, change, customerWith, differences, numberOf, started } from "../../../support/campaigns.ts";
import { stopClock } from "../../../support/clock.ts";
import { draftOf } from "../../../support/drafts.ts";
import { onShard } from "../../../support/storage.ts";
import { type Customer, phoneEnding } from "../../../support/world.ts";

beforeEach(stopClock);

const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
const to = phoneEnding("4321");
const sendTest = (customer: Customer, id: string, body: object = { to }, headers = {}) =>
  customer.call("POST", `/campaigns/${id}/test`, body, { headers });

describe("Campaign tests", () => {
  it.each(["draft", "scheduled", "running", "completed"])(
    "A test of a campaign that is %s sends one direct message with the contact's values and changes no counts",
    async (status) => {
      const { world, customer } = await customerWith(3);
      await customer.call("POST", "/contacts", { phone: to, name: "Inês" });
      const fields = { variables: ["{{name}}"], ...(status === "scheduled" && { scheduled_at: inHours(1) }) };
      const id = status === "draft" ? await draftOf(customer, fields) : await started(customer, fields);
      if (status === "completed") await world.settle();
      const before = await campaign(customer, id);
      const { status: code, body } = await sendTest(customer, id);
      expect([code, body.status]).toEqual([202, "queued"]);
      expect(await campaign(customer, id)).toEqual(before);
      await world.settle({ withinMs: 5000 });
      const message = await customer.message(body.message_id);
      expect(message).toMatchObject({ to, body: "Hello Inês", campaign_id: null, template_id: before.template_id });
      expect(await differences(customer, id)).toEqual({});
    },
  );

  it("A campaign test shows samples in brackets for missing values, and never another contact's values", async () => {
    const { customer } = await customerWith(2);
    const body = "{{name}} / {{company|your company}} / {{phone}} / {{email}}";
    const id = await started(customer, { scheduled_at: inHours(1), body, variables: { email: "{{email|no email}}" } });
    const testAt = async (phone: string) => {
      const { message_id, sample_variables } = (await sendTest(customer, id, { to: phone })).body;
      return [(await customer.message(message_id)).body, sample_variables];
    };
    const stranger = phoneEnding("4322");
    expect(await testAt(stranger)).toEqual([
      `[name] / [company] / ${stranger} / [email]`,
      ["company", "email", "name"],
    ]);
    const known = phoneEnding("4323");
    await customer.call("POST", "/contacts", { phone: known });
    expect(await testAt(known)).toEqual([`[name] / your company / ${known} / no email`, ["name"]]);
    await customer.call("POST", "/contacts", { phone: known, name: "Inês", company: "Costa" });
    expect(await testAt(known)).toEqual([`Inês / Costa / ${known} / no email`, []]);
  });

  it("A campaign test shows samples for missing template variables and for missing contact fields inside variables", async () => {
    const { customer } = await customerWith(1);
    await customer.call("POST", "/contacts", { phone: to });
    const variables = { email: "{{name}}" };
    const id = await started(customer, { scheduled_at: inHours(1), body: "{{company}} / {{email}}", variables });
    const { message_id, sample_variables } = (await sendTest(customer, id)).body;
    expect((await customer.message(message_id)).body).toBe("[company] / [name]");
    expect(sample_variables).toEqual(["company", "name"]);
  });

  it("Repeats of a campaign test with one Idempotency-Key send one message", async () => {
    const { customer } = await customerWith(2);
    const id = await started(customer, { scheduled_at: inHours(1) });
    const answers = await Promise.all(
      [1, 2, 3].map(() => sendTest(customer, id, { to }, { "Idempotency-Key": "test-1" })),
    );
    expect(new Set(answers.map(({ body }) => body.message_id)).size).toBe(1);
    expect(answers.map(({ body }) => body.sample_variables)).toEqual([["name"], ["name"], ["name"]]);
  });

  it("A campaign test fails for an opted-out person, without a template, and on a connection with an error", async () => {
    const { world, customer } = await customerWith(2);
    const id = await started(customer, { scheduled_at: inHours(1) });
    expect((await sendTest(await world.customer(), id)).status).toBe(404);
    expect((await sendTest(customer, id, {})).status).toBe(400);
    expect((await sendTest(customer, id, { to: "12" })).status).toBe(400);
    await customer.call("POST", "/contacts", { phone: to, is_unsubscribed: true });
    expect(await sendTest(customer, id)).toMatchObject({ status: 422, body: { error: { code: "unsubscribed" } } });
    await onShard(customer, "UPDATE connections SET status = 'error' WHERE id = ?", customer.connectionId);
    expect(await sendTest(customer, id, { to: numberOf(7) })).toMatchObject({
      status: 409,
      body: { error: { code: "invalid_state" } },
    });
    const { template_id } = await campaign(customer, id);
    await change(customer, id, "cancel");
    await customer.call("DELETE", `/templates/${template_id}`);
    expect((await sendTest(customer, id, { to: numberOf(7) })).status).toBe(404);
  });
});
