import { getCountries, getExampleNumber } from "libphonenumber-js/min";
import examples from "libphonenumber-js/mobile/examples";
import { beforeEach, describe, expect, it } from "vitest";
import { stopClock } from "../../support/clock.ts";
import { takeRows } from "../../support/contact-import.ts";
import { draftOf } from "../../support/drafts.ts";
import { deliver, messageFrom } from "../../support/provider-events.ts";
import { createTemplate } from "../../support/templates.ts";
import { World } from "../../support/world.ts";

beforeEach(stopClock);

describe("Example phone numbers", () => {
  const numbers = getCountries().flatMap((country) => getExampleNumber(country, examples)?.number.toString() ?? []);

  async function expectAccepted(phones: readonly string[]): Promise<void> {
    expect(phones.length).toBeGreaterThan(5);
    const customer = await new World().customer();
    await customer.call("POST", "/custom-fields", { field_key: "second", label: "Second", type: "phone" });
    for (let from = 0; from < phones.length; from += 100) {
      const some = phones.slice(from, from + 100);
      await deliver(
        customer,
        some.map((phone) => messageFrom({ phone }, "Hello")),
      );
      const contacts = some.map((phone) => ({ phone: phone.slice(1), custom_fields: { second: phone } }));
      const { results } = (await customer.call("POST", "/contacts/batch", { contacts })).body;
      expect(results.map(({ status }: { status: string }) => status)).toEqual(some.map(() => "updated"));
      const sent = await Promise.all(some.map((phone) => customer.send(phone)));
      expect(sent.map(({ status }) => status)).toEqual(some.map(() => 202));
    }
  }

  it("After a person has written, batches, custom fields and `to` accept the number: example numbers of every thirtieth country", () =>
    expectAccepted(numbers.filter((_, index) => index % 30 === 0)));

  it(
    "After a person has written, batches, custom fields and `to` accept the number: example numbers of all countries",
    { tags: "long" },
    () => expectAccepted(numbers),
  );
});

describe("Incomplete phone numbers", () => {
  it.each([
    ["030 12", "with its country code"],
    ["030 901820", "with its country code"],
    ["+49 30 12", "in international format"],
    ["+49 30 123", "in international format"],
    ["+999 123456789", "in international format"],
  ])("Every endpoint rejects a phone number that is too short or has no calling code: %s", async (phone, sentence) => {
    const customer = await new World().customer();
    const template = await createTemplate(customer, "Hi");
    const { id } = (await customer.call("POST", "/contacts", { phone: "+14155550100" })).body.contact;
    const draft = await draftOf(customer);
    const filter = { match: "all", conditions: [{ field: "phone", op: "eq", value: phone }] };
    for (const [method, path, body] of [
      ["POST", "/contacts", { phone }],
      ["PATCH", `/contacts/${id}`, { phone }],
      ["POST", "/messages", { to: phone, text: "Hi" }],
      ["POST", `/templates/${template}/send`, { to: phone }],
      ["POST", `/campaigns/${draft}/test`, { to: phone }],
      ["POST", "/segments", { name: "One", filter }],
    ] as const) {
      const answer = await customer.call(method, path, body);
      expect([path, answer.status]).toEqual([path, 400]);
      expect(JSON.stringify(answer.body.error)).toContain(sentence);
    }
    const batch = await customer.call("POST", "/contacts/batch", { contacts: [{ phone }] });
    expect(JSON.stringify(batch.body)).toContain(sentence);
    await customer.call("POST", "/custom-fields", { field_key: "second", label: "Second", type: "phone" });
    expect((await customer.call("PATCH", `/contacts/${id}`, { custom_fields: { second: phone } })).status).toBe(400);
  });

  it("An import rejects a phone number that is too short or has no calling code, even if a country is selected", async () => {
    const customer = await new World().customer();
    const agent = await customer.member("agent");
    for (const country of ["", "DE"]) {
      const { body } = await takeRows(agent, customer, ["phone"], [["030 12"]], { country });
      expect(body.counts).toMatchObject({ created: 0, failed: 1 });
    }
  });
});
