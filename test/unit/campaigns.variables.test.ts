import { describe, expect, it } from "vitest";
import { compileVariables, fillForContact, checkVariables } from "../../src/features/campaigns/campaigns.variables.ts";
import { parseTemplate } from "../../src/features/templates/model/parse-template.ts";

const template = (body: string) =>
  parseTemplate({ name: "Greeting", body, language: null, category: null, parameters: null, components: [] });

const own = new Set(["name", "first_name", "address_as", "company"]);
const ada = new Map<string, string | null>([
  ["name", "Ada Lovelace"],
  ["first_name", "Ada"],
  ["address_as", null],
  ["company", null],
]);

const check = (body: string, sent?: string[] | Record<string, string>) => checkVariables(template(body), sent, own);

const fill = (body: string, sent?: string[] | Record<string, string>) => {
  const { texts } = check(body, sent);
  return fillForContact(template(body), compileVariables(texts), ada);
};

describe("Variables", () => {
  it.each([
    ["Hi {{1}}, {{2}}", ["{{address_as|there}}", "bye {{first_name}}"], "Hi there, bye Ada"],
    ["Hi {{first_name}}", undefined, "Hi Ada"],
    ["Hi {{first_name}}", { first_name: "{{name}}!" }, "Hi Ada Lovelace!"],
    ["Code {{code}}", { code: "42" }, "Code 42"],
    ["Code {{code|none}}", undefined, "Code none"],
    ["No variables", undefined, "No variables"],
  ])("A campaign fills the template %s with the variables %j", (body, sent, text) => {
    expect(check(body, sent)).toMatchObject({ faults: [], missing: [] });
    expect(fill(body, sent)).toEqual({ skip: null, text, form: null });
  });

  it("A campaign skips a contact that has no value for a variable in the template or in the text of another variable", () => {
    expect(fill("From {{company}}")).toEqual({ skip: "missing_variable", names: ["company"] });
    expect(fill("From {{1}}", ["{{company}}"])).toEqual({ skip: "missing_variable", names: ["company"] });
    expect(fillForContact(template("Hi {{1}}"), null, new Map())).toEqual({ skip: "missing_variable", names: ["1"] });
  });

  it("A campaign skips a contact if its text would be too long", () => {
    expect(fill("{{1}}{{2}}", ["a".repeat(4000), "b".repeat(97)])).toEqual({ skip: "too_long", names: [] });
    expect(fill("{{1}}{{2}}", ["a".repeat(4000), "b".repeat(96)])).toMatchObject({ skip: null });
  });

  it.each([
    ["Hi {{1}}", undefined, ["1"]],
    ["Hi {{1}}, {{2}}", undefined, ["1", "2"]],
    ["Hi {{1}}, {{2}}", ["one"], ["2"]],
    ["Code {{code}}", undefined, ["code"]],
    ["Hi {{1}}", ["{{code}}"], ["code"]],
  ])(
    "If the template %s has the variables %j, a campaign reports the variables without a value for any contact",
    (body, sent, missing) => {
      expect(check(body, sent)).toMatchObject({ faults: [], missing });
    },
  );

  it.each([
    ["Hi {{1}}", ["one", "two"], "variables", "too_big"],
    ["Hi {{name}}", ["one"], "variables", "invalid_type"],
    ["Hi {{name}}", { nobody: "x" }, "variables.nobody", "unknown_field"],
    ["Hi {{1}}", ["{{1}}"], "variables.0", "invalid_variable"],
    ["Hi {{1}}", ["{{name"], "variables.0", "unclosed_variable"],
    ["Hi {{name}}", { name: "{{}}" }, "variables.name", "empty_variable"],
  ])(
    "If the template %s has the variables %j, a campaign rejects the variables as invalid",
    (body, sent, path, code) => {
      expect(check(body, sent).faults).toMatchObject([{ path, code }]);
    },
  );
});
