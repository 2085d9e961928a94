import { beforeEach, describe, expect, it } from "vitest";
import { stopClock } from "../../support/clock.ts";
import { createTemplate, refusal, sendTemplate, textOf } from "../../support/templates.ts";
import { phoneEnding, World } from "../../support/world.ts";

beforeEach(stopClock);

describe("Template values", () => {
  it("A template variable uses the sent value, then the contact's value, then the fallback", async () => {
    const customer = await new World().customer();
    const phone = phoneEnding("1234");
    await customer.call("POST", "/contacts", { phone, name: "Ada Lovelace", email: "ada@example.com" });
    const id = await createTemplate(customer, "{{ first_name }}|{{email|none}}|{{company | your company}}|{{name}}");
    expect(await textOf(customer, id, { to: phone })).toBe("Ada|ada@example.com|your company|Ada Lovelace");
    expect(await textOf(customer, id, { to: phone, variables: { company: "Acme", name: "Countess" } })).toBe(
      "Ada|ada@example.com|Acme|Countess",
    );
    expect(await textOf(customer, id, { to: phone, variables: { email: " \n", company: "\t" } })).toBe(
      "Ada|ada@example.com|your company|Ada Lovelace",
    );
  });

  it("A template can use every field of a contact, and custom fields in a readable form", async () => {
    const customer = await new World().customer();
    const fields = [
      ["plan", "select", "pro", ["free", "pro"]],
      ["seats", "number", 12.5],
      ["active", "boolean", false],
      ["likes", "multi_select", ["tea", "cake"], ["tea", "cake"]],
      ["since", "date", "2026-01-31"],
      ["notes", "text", "$& {{1}} {{name}}"],
    ] as const;
    for (const [field_key, type, , options] of fields) {
      await customer.call("POST", "/custom-fields", { field_key, label: field_key, type, ...(options && { options }) });
    }
    const phone = phoneEnding("1234");
    const custom_fields = Object.fromEntries(fields.map(([key, , value]) => [key, value]));
    const rest = { company: "Acme", address_as: "Dr. Ada", status: "hot", lifecycle_stage: "customer" };
    await customer.call("POST", "/contacts", { phone, custom_fields, ...rest });
    const own = "{{phone}} {{company}} {{address_as}} {{status}} {{lifecycle_stage}}";
    const custom = fields.map(([key]) => `{{${key}}}`).join(" / ");
    const id = await createTemplate(customer, `${own} / ${custom}`);
    expect(await textOf(customer, id, { to: phone })).toBe(
      `${phone} Acme Dr. Ada hot customer / pro / 12.5 / false / tea, cake / 2026-01-31 / $& {{1}} {{name}}`,
    );
  });

  it("A template to a new person can use the person's number and the default status and stage", async () => {
    const customer = await new World().customer();
    const to = phoneEnding("1234");
    const id = await createTemplate(customer, "{{phone}} {{status}} {{lifecycle_stage}} {{name|friend}}");
    expect(await textOf(customer, id, { to })).toBe(`${to} new lead friend`);
    expect((await customer.call("GET", "/contacts")).body.contacts).toMatchObject([{ phone: to, source: "api" }]);
  });

  it("Template values are inserted unchanged, including white space around them", async () => {
    const customer = await new World().customer();
    const id = await createTemplate(customer, "<{{1}}> <{{2}}> <{{1}}>");
    const values = ["$& $1 {{2}} {{name|x}} %s \\", "  two\nlines "];
    const text = await textOf(customer, id, { to: phoneEnding("1234"), variables: values });
    expect(text).toBe(`<${values[0]}> <${values[1]}> <${values[0]}>`);
  });
});

describe("Sent values", () => {
  it("A template send without required values is rejected with the name of each missing variable", async () => {
    const customer = await new World().customer();
    const to = phoneEnding("1234");
    const positional = await createTemplate(customer, "{{1}} {{2}} {{3}}");
    const named = await createTemplate(customer, "{{name}} {{plan}} {{city|Berlin}}");
    const cases = [
      [positional, undefined, ["1", "2", "3"]],
      [positional, ["a"], ["2", "3"]],
      [positional, ["a", " \u00a0\n", "c"], ["2"]],
      [positional, { 1: "a", 3: "c" }, ["2"]],
      [named, undefined, ["name", "plan"]],
      [named, [], ["name", "plan"]],
      [named, { plan: "pro", name: "  " }, ["name"]],
    ] as const;
    for (const [id, variables, missing] of cases) {
      expect(await refusal(sendTemplate(customer, id, { to, variables }))).toEqual([
        422,
        "missing_variable",
        { variables: missing },
      ]);
    }
    expect((await customer.call("GET", "/contacts")).body.contacts).toEqual([]);
    expect(await customer.outbox()).toEqual([]);
  });

  it("A template send with extra values, unknown names or wrong types is rejected", async () => {
    const customer = await new World().customer();
    const to = phoneEnding("1234");
    const positional = await createTemplate(customer, "{{1}}");
    const named = await createTemplate(customer, "{{name}}");
    const cases = [
      [positional, ["a", "b"], ["variables too_big"]],
      [positional, { name: "a" }, ["variables.name unknown_field"]],
      [named, ["Ada"], ["variables invalid_type"]],
      [named, { naem: "Ada", nam: "x" }, ["variables.naem unknown_field", "variables.nam unknown_field"]],
      [named, { name: "Ada", constructor: "x" }, ["variables.constructor unknown_field"]],
      [named, { name: null }, ["variables invalid_type"]],
      [positional, [1], ["variables invalid_type"]],
      [positional, "a", ["variables invalid_type"]],
      [positional, null, ["variables invalid_type"]],
      [positional, ["a\0"], ["variables.0 invalid_characters"]],
    ] as const;
    for (const [id, variables, faults] of cases) {
      const { status, body } = await sendTemplate(customer, id, { to, variables });
      expect([status, body.error?.code]).toEqual([400, "validation_failed"]);
      expect(body.error.details.map(({ path, code }: { path: string; code: string }) => `${path} ${code}`)).toEqual(
        faults,
      );
    }
  });

  it("A template with its values can have at most 4,096 characters", async () => {
    const customer = await new World().customer();
    const to = phoneEnding("1234");
    const id = await createTemplate(customer, "Hi {{1}}!");
    const longest = "😀".repeat(4092);
    expect(await textOf(customer, id, { to, variables: [longest] })).toBe(`Hi ${longest}!`);
    const answer = await refusal(sendTemplate(customer, id, { to, variables: [`${longest}😀`] }));
    expect(answer).toMatchObject([400, "validation_failed", [{ path: "variables", code: "too_big" }]]);
  });

  it("A template can have hundreds of numbered variables", async () => {
    const customer = await new World().customer();
    const numbers = Array.from({ length: 500 }, (_, index) => index + 1);
    const id = await createTemplate(customer, numbers.map((n) => `{{${n}}}`).join(""));
    const text = await textOf(customer, id, { to: phoneEnding("1234"), variables: numbers.map(String) });
    expect(text).toBe(numbers.join(""));
  });
});
