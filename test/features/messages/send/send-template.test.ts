import { beforeEach, describe, expect, it } from "vitest";
import { stopClock } from "../../../support/clock.ts";
import { costOf, faultyWorld, steps } from "../../../support/storage.ts";
import { createTemplate, refusal, sendTemplate, textOf } from "../../../support/templates.ts";
import { phoneEnding, World } from "../../../support/world.ts";

beforeEach(stopClock);

describe("Local templates", () => {
  it("A local template is filled in and delivered, and the message contains the template's id", async () => {
    const world = new World();
    const customer = await world.customer();
    const id = await createTemplate(customer, "Hi {{1}}, your order {{2}} has been shipped.");
    const to = phoneEnding("1234");
    const answer = await sendTemplate(customer, id, { to, variables: ["Ada", "1042"] });
    expect(answer).toMatchObject({ status: 202, body: { success: true, status: "queued" } });
    await world.settle();
    const { message_id, contact_id, conversation_id } = answer.body;
    expect(await customer.message(message_id)).toMatchObject({
      to,
      contact_id,
      conversation_id,
      template_id: id,
      campaign_id: null,
      body: "Hi Ada, your order 1042 has been shipped.",
      delivery: "read",
    });
    expect(await customer.outbox()).toMatchObject([{ to, body: "Hi Ada, your order 1042 has been shipped." }]);
    const { conversation } = (await customer.call("GET", `/conversations/${conversation_id}`)).body;
    expect(conversation.last_message).toBe("Hi Ada, your order 1042 has been shipped.");
  });

  it("A local template can be sent to a number without the plus", async () => {
    const customer = await new World().customer();
    const answer = await sendTemplate(customer, await createTemplate(customer, "Hello"), { to: "1 (415) 555-0100" });
    expect((await customer.message(answer.body.message_id)).to).toBe("+14155550100");
  });

  it("A local template keeps its first text, even if the template is changed or deleted before a retry", async () => {
    const world = new World();
    const customer = await world.customer();
    const id = await createTemplate(customer, "First {{1}}");
    const { message_id } = (await sendTemplate(customer, id, { to: phoneEnding("0002"), variables: ["a"] })).body;
    await customer.call("PATCH", `/templates/${id}`, { body: "Second" });
    await customer.call("DELETE", `/templates/${id}`);
    await world.settle();
    expect(await customer.outbox()).toMatchObject([{ body: "First a", attempt: 3 }]);
    expect(await customer.message(message_id)).toMatchObject({ delivery: "read", template_id: id });
  });

  it("A local template restores an archived contact and uses the contact's values", async () => {
    const customer = await new World().customer();
    const phone = phoneEnding("1234");
    const { contact } = (await customer.call("POST", "/contacts", { phone, name: "Ada" })).body;
    await customer.call("DELETE", `/contacts/${contact.id}`);
    expect(await textOf(customer, await createTemplate(customer, "Hi {{name}}"), { to: phone })).toBe("Hi Ada");
    expect((await customer.call("GET", `/contacts/${contact.id}`)).body.contact.is_archived).toBe(false);
  });
});

describe("Templates to opted-out people", () => {
  it("A template to an opted-out person is rejected, even within 24 hours after the person's message", async () => {
    const customer = await new World().customer();
    const from = phoneEnding("1234");
    await customer.receive(from, "STOP");
    customer.world.advance(1000);
    await customer.receive(from, "Wait, one question");
    expect((await customer.send(from)).status).toBe(202);
    const [status, code, details] = await refusal(
      sendTemplate(customer, await createTemplate(customer, "Hello"), { to: from }),
    );
    expect([status, code]).toEqual([422, "unsubscribed"]);
    expect(details).toEqual({ contact_id: expect.stringMatching(/^ct_/) });
  });

  it("A template to a person fails if the person opts out before a retry", async () => {
    const world = new World();
    const customer = await world.customer();
    const to = phoneEnding("0002");
    const { message_id } = (await sendTemplate(customer, await createTemplate(customer, "Hello"), { to })).body;
    await customer.receive(to, "STOP");
    await world.settle();
    expect(await customer.message(message_id)).toMatchObject({ delivery: "failed", error: { code: "unsubscribed" } });
  });
});

describe("Unknown templates", () => {
  it("An unknown template is not found, and neither is a template from another workspace", async () => {
    const world = new World();
    const [customer, stranger] = [await world.customer(), await world.customer()];
    const id = await createTemplate(customer, "Hello");
    const to = phoneEnding("1234");
    for (const each of [id, "tpl_unknown"]) {
      expect(await refusal(sendTemplate(stranger, each, { to }))).toEqual([404, "not_found", null]);
    }
  });
});

describe("Repeated sends", () => {
  it("A repeated template send returns the same response, even after the template was deleted", async () => {
    const world = new World();
    const customer = await world.customer();
    const id = await createTemplate(customer, "Hi {{1}}");
    const body = { to: phoneEnding("1234"), variables: ["Ada"] };
    const headers = { "Idempotency-Key": "k1" };
    const first = await sendTemplate(customer, id, body, headers);
    await customer.call("DELETE", `/templates/${id}`);
    const repeat = await sendTemplate(customer, id, body, headers);
    expect([repeat.status, repeat.body]).toEqual([202, first.body]);
    expect(repeat.headers.get("Idempotent-Replayed")).toBe("true");
    const other = sendTemplate(customer, id, { ...body, variables: ["Bob"] }, headers);
    expect(await refusal(other)).toEqual([422, "idempotency_key_reused", null]);
    await world.settle({ copies: 2 });
    expect(await customer.outbox()).toHaveLength(1);
  });

  it("Ten concurrent repeats of a template send create one message", async () => {
    const world = new World();
    const customer = await world.customer();
    const id = await createTemplate(customer, "Hi {{1}}");
    const body = { to: phoneEnding("1234"), variables: ["Ada"] };
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => sendTemplate(customer, id, body, { "Idempotency-Key": "k" })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
    expect(new Set(answers.map(({ body: { message_id } }) => message_id)).size).toBe(1);
    await world.settle({ copies: 2 });
    expect(await customer.outbox()).toHaveLength(1);
  });

  it("A repeated template send finds its message if the first response was lost after the commit", async () => {
    const { world, faults } = faultyWorld();
    const customer = await world.customer();
    const id = await createTemplate(customer, "Hello");
    const body = { to: phoneEnding("1234") };
    faults.next(steps.accept, "after");
    expect((await sendTemplate(customer, id, body, { "Idempotency-Key": "k" })).status).toBe(503);
    const repeat = await sendTemplate(customer, id, body, { "Idempotency-Key": "k" });
    expect(repeat.status).toBe(202);
    world.advance(60_000);
    await world.cron();
    await world.settle();
    expect(await customer.outbox()).toMatchObject([{ message_id: repeat.body.message_id }]);
  });

  it("After an error, a template send can use its Idempotency-Key again", async () => {
    const customer = await new World().customer();
    const phone = phoneEnding("1234");
    const id = await createTemplate(customer, "Hi {{name}}");
    const headers = { "Idempotency-Key": "k1" };
    expect((await sendTemplate(customer, id, { to: phone }, headers)).status).toBe(422);
    await customer.call("POST", "/contacts", { phone, name: "Ada" });
    expect((await sendTemplate(customer, id, { to: phone }, headers)).status).toBe(202);
  });
});

describe("Costs", () => {
  it("Sending a template costs two round trips and as many rows as a plain message", async () => {
    const customer = await new World().customer();
    const id = await createTemplate(customer, "Hi {{name|you}}");
    const answer = await sendTemplate(customer, id, { to: phoneEnding("1234") }, { "Idempotency-Key": "k" });
    const plain = await customer.send(phoneEnding("1234"), "Hi", { headers: { "Idempotency-Key": "p" } });
    expect(costOf(answer)).toMatchObject({ trips: 2, rows_written: costOf(plain)["rows_written"] });
  });
});
