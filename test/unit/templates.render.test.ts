import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fillTemplate } from "../../src/features/templates/model/fill-template.ts";
import { parseTemplate, type TemplateSource, variablesOf } from "../../src/features/templates/model/parse-template.ts";
import { parseBody, parseExternal, render, variablesIn } from "../../src/features/templates/model/render-text.ts";

const codesOf = (body: string) => parseBody(body).faults.map(({ code }) => code);

const rendered = (body: string, values: Record<string, string>) =>
  render(parseBody(body).pieces, (name) => (Object.hasOwn(values, name) ? values[name] : null));

describe("Grammar of a body", () => {
  it.each([
    ["Hello", []],
    ["{{1}} and {{ 2 }}", ["1", "2"]],
    ["{{2}} before {{1}}, twice {{2}}", ["1", "2"]],
    ["{{name}} {{ b_2\n}} {{name|x}}", ["name", "b_2"]],
    ["{{first|a|b}} }} { } {x}", ["first"]],
    ["{{name|{}}", ["name"]],
    ["{{10}}{{9}}{{8}}{{7}}{{6}}{{5}}{{4}}{{3}}{{2}}{{1}}", ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10"]],
  ])("The grammar of a template body accepts %s", (body, names) => {
    const { pieces, faults } = parseBody(body);
    expect(faults).toEqual([]);
    expect(variablesIn(pieces)).toEqual(names);
  });

  it.each([
    ["{{", ["unclosed_variable"]],
    ["{{name", ["unclosed_variable"]],
    ["{{name} }", ["unclosed_variable"]],
    ["{{a {{b}}", ["unclosed_variable"]],
    ["{{{{a}}}}", ["unclosed_variable"]],
    ["{{}}", ["empty_variable"]],
    ["{{ \n }}", ["empty_variable"]],
    ["{{|x}}", ["empty_variable"]],
    ["{{name|}}", ["empty_fallback"]],
    ["{{name| }}", ["empty_fallback"]],
    ["{{0}}", ["invalid_variable"]],
    ["{{01}}", ["invalid_variable"]],
    ["{{1|x}}", ["invalid_variable"]],
    ["{{1a}}", ["invalid_variable"]],
    ["{{first name}}", ["invalid_variable"]],
    ["{{{name}}}", ["invalid_variable"]],
    ["{{prénom}}", ["invalid_variable"]],
    ["{{2}}", ["missing_position"]],
    ["{{1}} {{3}}", ["missing_position"]],
    ["{{1}} {{99999999999999999999}}", ["missing_position"]],
    ["{{1}} {{name}}", ["mixed_variables"]],
    ["{{}} {{x|}} {{", ["empty_variable", "empty_fallback", "unclosed_variable"]],
  ])("The grammar of a template body rejects %s", (body, codes) => {
    expect(codesOf(body)).toEqual(codes);
  });

  it("The error for a long invalid template body is short", () => {
    const { faults } = parseBody(`{{${"😀".repeat(4000)}}}`);
    expect(faults).toHaveLength(1);
    expect(Array.from(faults[0]?.message ?? "").length).toBeLessThan(150);
    expect(faults[0]?.message.isWellFormed()).toBe(true);
  });
});

describe("Rendering", () => {
  it("Rendering a template uses the value, otherwise the fallback, and otherwise reports the variable as missing", () => {
    expect(rendered("{{a|x}} {{b}} {{c}}", { b: "B", c: " \n\u00a0" })).toEqual({ text: "x B ", missing: ["c"] });
    expect(rendered("{{a}} {{a|x}}", {})).toEqual({ text: " x", missing: ["a"] });
  });

  it("Rendering a template never parses a value as a template", () => {
    const value = "$& $1 {{1}} {{b|x}} }} {{";
    expect(rendered("[{{1}}][{{2}}]", { 1: value, 2: "2" }).text).toBe(`[${value}][2]`);
  });

  const value = fc.oneof(fc.string({ unit: "grapheme" }), fc.constantFrom("$&", "$1", "{{1}}", "{{a|b}}", " ", "\n"));
  const text = fc.string({ unit: "grapheme" }).map((each) => each.replaceAll("{", "(").replaceAll("}", ")"));
  const name = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,9}$/);
  const space = fc.stringMatching(/^[ \t\n]{0,3}$/);
  const fallback = text.filter((each) => each.trim() !== "");
  const place = fc.record({ name, fallback: fc.option(fallback), space });

  it("Rendering a template returns all texts and values in order", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(text, place)), fc.dictionary(name, value), (given, values) => {
        const body = given.map((each) =>
          typeof each === "string"
            ? each
            : `{{${each.space}${each.name}${each.space}${each.fallback === null ? "" : `|${each.fallback}`}}}`,
        );
        const valueOf = (key: string) => (Object.hasOwn(values, key) ? (values[key] ?? "") : "");
        const missing = new Set<string>();
        const expected = given.map((each) => {
          if (typeof each === "string") return each;
          const own = valueOf(each.name);
          if (own.trim() !== "") return own;
          if (each.fallback === null) missing.add(each.name);
          return each.fallback?.trim() ?? "";
        });
        const { pieces, faults } = parseBody(body.join(""));
        expect(faults).toEqual([]);
        expect(render(pieces, valueOf)).toEqual({ text: expected.join(""), missing: [...missing] });
      }),
    );
  });

  it("Rendering a template fills in each placeholder, or reports its variable as missing", () => {
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 9 }), (values) => {
        const { pieces } = parseBody(values.map((_, at) => `{{${at + 1}}}`).join("|"));
        const { text: filled, missing } = render(pieces, (at) => values[Number(at) - 1]);
        expect(missing).toEqual(values.flatMap((each, at) => (each.trim() === "" ? [String(at + 1)] : [])));
        if (missing.length === 0) expect(filled).toBe(values.join("|"));
      }),
    );
  });

  const anything = fc.array(fc.oneof(fc.constantFrom("{{", "}}", "{", "}", "|", "1", "2", "a", " "), fc.string()));

  it("Any text can be parsed as a template, and numbered variables of a valid template have no gaps", () => {
    fc.assert(
      fc.property(anything, (given) => {
        const body = given.join("");
        const { pieces, faults } = parseBody(body);
        for (const fault of faults) expect(fault).toMatchObject({ path: "body", message: expect.stringMatching(/\S/) });
        if (faults.length > 0) return;
        const names = variablesIn(pieces);
        expect(new Set(names).size).toBe(names.length);
        if (names.some((each) => /^\d/.test(each))) expect(names).toEqual(names.map((_, at) => String(at + 1)));
        if (names.length === 0) expect(render(pieces, () => "x").text).toBe(body);
      }),
    );
  });

  it("Rendering a template takes time proportional to its length", () => {
    for (const unit of ["{{", "}}", "{{a}}", "{{a|", "{{ ", "{", "{{|", "{{1}}"]) {
      const body = unit.repeat(100_000);
      const start = performance.now();
      const { pieces } = parseBody(body);
      render(pieces, () => "x".repeat(10));
      parseExternal(body, "named");
      expect(performance.now() - start, unit).toBeLessThan(3000);
    }
  });
});

const parse = (template: Pick<TemplateSource, "parameters" | "category" | "components">) =>
  parseTemplate({ name: "order", language: "en", body: "", ...template });

const fill = (template: ReturnType<typeof parse>, valueOf: (name: string) => string) =>
  fillTemplate(template, new Map(), { get: valueOf });

describe("Provider's templates", () => {
  const buttons = [
    { type: "URL", text: "Track", url: "https://example.com/{{1}}" },
    { type: "COPY_CODE", example: "SAVE" },
    { type: "PHONE_NUMBER", phone_number: "+1" },
  ];
  const components = [
    { type: "HEADER", format: "TEXT", text: "For {{1}}" },
    { type: "BODY", text: "{{1}} and {{2}} {{name}} {{" },
    { type: "BUTTONS", buttons },
  ];

  it("The variables of a provider's template are numbered in the body, then in the header and buttons", () => {
    const template = parse({ parameters: "positional", category: "UTILITY", components });
    expect(variablesOf(template)).toEqual(["1", "2", "3", "4", "5"]);
    expect(fill(template, (name) => `<${name}>`)).toEqual({
      text: "<1> and <2> {{name}} {{",
      missing: [],
      form: {
        name: "order",
        language: "en",
        header: [{ name: null, text: "<3>" }],
        body: [
          { name: null, text: "<1>" },
          { name: null, text: "<2>" },
        ],
        buttons: [
          { index: 0, kind: "url", text: "<4>" },
          { index: 1, kind: "copy_code", text: "<5>" },
        ],
      },
    });
  });

  it("A provider's template whose parameters have names has named variables", () => {
    const named = [
      { type: "HEADER", format: "TEXT", text: "{{shop}}" },
      { type: "BODY", text: "{{name}} {{1}} {{shop}}" },
      { type: "BUTTONS", buttons },
    ];
    const template = parse({ parameters: "named", category: null, components: named });
    expect(variablesOf(template)).toEqual(["name", "shop", "button_1", "button_2"]);
    const { text: filled, missing, form } = fill(template, (name) => (name === "shop" ? " " : name));
    expect([filled, missing]).toEqual(["name {{1}} ", ["shop"]]);
    expect(form?.body).toEqual([
      { name: "name", text: "name" },
      { name: "shop", text: " " },
    ]);
  });

  it("The button of a provider's one-time password template uses the value of the body", () => {
    const oneTime = [
      { type: "BODY", text: "*{{1}}* is your code." },
      { type: "BUTTONS", buttons: [{ type: "URL", url: "https://www.whatsapp.com/otp/code/?code=otp{{1}}" }] },
    ];
    const template = parse({ parameters: "positional", category: "AUTHENTICATION", components: oneTime });
    expect(variablesOf(template)).toEqual(["1"]);
    expect(fill(template, () => "1234").form?.buttons).toEqual([{ index: 0, kind: "url", text: "1234" }]);
  });

  it("A provider's template with any unknown components can be parsed", () => {
    fc.assert(
      fc.property(fc.array(fc.anything()), fc.constantFrom("positional", "named"), (odd, parameters) => {
        const template = parse({ parameters, category: null, components: odd });
        expect(fill(template, () => "x").missing).toEqual([]);
      }),
    );
  });
});
