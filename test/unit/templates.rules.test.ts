import { describe, expect, it } from "vitest";
import { createTemplateBody } from "../../src/features/templates/templates.schemas.ts";
import { REPORT, toFaults } from "../../src/shared/faults.ts";

const body = { type: "BODY", text: "Hello there." };
const file = (format: string) => ({ type: "HEADER", format, example: { media_id: "med_1" } });
const reply = { type: "QUICK_REPLY", text: "Yes" };
const link = { type: "URL", text: "Track", url: "https://acme.test/track" };
const phone = { type: "PHONE_NUMBER", text: "Call", phone_number: "+1 415 555 0100" };
const code = { type: "COPY_CODE", example: "SAVE20" };
const flow = { type: "FLOW", text: "Book", flow_id: "1042" };
const otp = { type: "OTP", otp_type: "COPY_CODE", text: "Copy" };
const apps = [{ package_name: "test.acme", signature_hash: "K8a/AINcGX7" }];
const buttons = (...list: object[]) => ({ type: "BUTTONS", buttons: list });
const card = (...parts: object[]) => ({ components: [file("IMAGE"), ...parts] });
const carousel = (...cards: object[]) => ({ type: "CAROUSEL", cards });
const named = (text: string, ...names: string[]) => ({
  type: "BODY",
  text,
  example: { body_text_named_params: names.map((param_name) => ({ param_name, example: "x" })) },
});
const numbered = (text: string, ...values: string[]) => ({ type: "BODY", text, example: { body_text: [values] } });

function faultsOf(change: object): string[] {
  const draft = {
    connection_id: "conn_1",
    name: "order_update",
    language: "en_US",
    category: "MARKETING",
    components: [body],
  };
  const { error } = createTemplateBody.safeParse({ ...draft, ...change }, REPORT);
  return error === undefined ? [] : toFaults(error, "").map(({ path, code: kind }) => `${path} ${kind}`);
}

const faultsIn = (...components: object[]) => faultsOf({ components });
const faultsOfOneTime = (...components: object[]) => faultsOf({ category: "AUTHENTICATION", components });

describe("Templates for providers", () => {
  it.each<[string, object[]]>([
    ["a text alone", [body]],
    [
      "all plain parts",
      [{ type: "HEADER", format: "TEXT", text: "Sale" }, body, { type: "FOOTER", text: "Acme" }, buttons(reply)],
    ],
    ["positions", [numbered("Hi {{1}}, {{2}} and {{1}} again.", "Ann", "Bob")]],
    ["names", [named("Hi {{first_name}}, your {{ order_2 }} left.", "order_2", "first_name")]],
    [
      "a variable in its header",
      [{ type: "HEADER", format: "TEXT", text: "For {{1}}", example: { header_text: ["Ann"] } }, body],
    ],
    ["a file in its header", [file("DOCUMENT"), body]],
    ["a handle of Meta's", [{ ...file("VIDEO"), example: { header_handle: ["4::aW"] } }, body]],
    ["a place in its header", [{ type: "HEADER", format: "LOCATION" }, body]],
    [
      "every kind of button",
      [
        body,
        buttons(reply, reply, { ...link, url: "https://acme.test/{{1}}", example: ["1042"] }, link, phone, code, flow),
      ],
    ],
    ["ten replies", [body, buttons(...Array.from({ length: 10 }, () => reply))]],
    [
      "cards",
      [
        body,
        carousel(
          card(numbered("No. {{1}}!", "1"), buttons(link, reply)),
          card(numbered("No. {{1}}!", "2"), buttons(link, reply)),
        ),
      ],
    ],
  ])("A template for a provider can have %s", (_, components) => {
    expect(faultsIn(...components)).toEqual([]);
  });

  it("A template for a provider must have one body, and can have each other part at most once", () => {
    expect(faultsIn({ type: "FOOTER", text: "Acme" })).toEqual(["components required"]);
    expect(faultsIn(body, body)).toEqual(["components.1.type repeated"]);
    expect(faultsIn({ type: "BODY" })).toEqual(["components.0.text required"]);
    expect(faultsIn({ type: "BODY", text: "x".repeat(1025) })).toEqual(["components.0.text too_big"]);
    expect(faultsIn({ type: "LIMITED_TIME_OFFER" })).toEqual(["components.0.type invalid_type"]);
    expect(faultsIn({ ...body, texts: "x" })).toEqual(["components.0.texts unknown_field"]);
    expect(faultsIn(body, { type: "FOOTER", text: "x".repeat(61) })).toEqual(["components.1.text too_big"]);
    expect(faultsIn(body, { type: "FOOTER", text: "For {{1}}." })).toEqual(["components.1.text invalid_variable"]);
  });

  it("A template for a provider has either numbered or named variables, with an example for each", () => {
    const at = "components.0";
    expect(faultsIn({ type: "BODY", text: "Hi {{1}}!" })).toEqual([`${at}.example.body_text required`]);
    expect(faultsIn(numbered("Hi {{1}} {{2}}!", "Ann"))).toEqual([`${at}.example.body_text invalid_value`]);
    expect(faultsIn(numbered("Hi!", "Ann"))).toEqual([`${at}.example.body_text unknown_field`]);
    expect(faultsIn(named("Hi {{name}}!", "other"))).toEqual([`${at}.example.body_text_named_params invalid_value`]);
    expect(faultsIn(numbered("Hi {{name}}!", "Ann"))).toEqual([`${at}.example.body_text invalid_value`]);
    expect(faultsIn(numbered("Hi {{1}} {{3}}!", "a", "b"))).toEqual([`${at}.text missing_position`]);
    expect(faultsIn(named("Hi {{name}} {{1}}!", "name"))).toEqual([`${at}.text mixed_variables`]);
    for (const text of ["Hi {{Name}}!", "Hi {{}}!", "Hi {{0}}!", "Hi {{a-b}}!", "Hi {{name|you}}!"])
      expect(faultsIn({ type: "BODY", text }), text).toEqual([`${at}.text invalid_variable`]);
    for (const text of ["Hi {{1}!", "Hi {{1", "Hi }} you"])
      expect(faultsIn({ type: "BODY", text }), text).toEqual([`${at}.text unclosed_variable`]);
    expect(faultsIn(numbered("{{1}} hi", "a"))).toEqual([`${at}.text invalid_variable`]);
    expect(faultsIn(numbered("Hi {{1}} ", "a"))).toEqual([`${at}.text invalid_variable`]);
    const header = { type: "HEADER", format: "TEXT", text: "{{1}} of {{2}}", example: { header_text: ["a"] } };
    expect(faultsIn(header, body)).toEqual([
      "components.0.example.header_text invalid_value",
      "components.0.text invalid_variable",
    ]);
    const mixed = { type: "HEADER", format: "TEXT", text: "For {{1}}", example: { header_text: ["a"] } };
    expect(faultsIn(mixed, named("Hi {{name}}!", "name"))).toEqual(["components.0.text mixed_variables"]);
  });

  it("The types of a template for a provider can be in lower case, also in the buttons of a carousel", () => {
    const lower = (part: object) =>
      JSON.parse(JSON.stringify(part), (name, value) => (name === "type" ? value.toLowerCase() : value));
    expect(faultsIn(lower(body), lower(carousel(card(buttons(reply)), card(buttons(reply)))))).toEqual([]);
  });

  it("A template for a provider has a header of one kind, with an example file", () => {
    expect(faultsIn({ type: "HEADER", format: "AUDIO" }, body)).toEqual(["components.0.format invalid_type"]);
    expect(faultsIn({ type: "HEADER", format: "TEXT", text: "x".repeat(61) }, body)).toEqual([
      "components.0.text too_big",
    ]);
    expect(faultsIn({ type: "HEADER", format: "IMAGE" }, body)).toEqual(["components.0.example required"]);
    expect(faultsIn({ ...file("IMAGE"), example: {} }, body)).toEqual(["components.0.example.media_id required"]);
    const both = { media_id: "med_1", header_handle: ["4::aW"] };
    expect(faultsIn({ ...file("IMAGE"), example: both }, body)).toEqual([
      "components.0.example.header_handle invalid_value",
    ]);
    expect(faultsIn({ ...file("IMAGE"), text: "x" }, body)).toEqual(["components.0.text unknown_field"]);
  });

  it("A template for a provider has a limited number of buttons of each kind, and quick replies next to each other", () => {
    const at = "components.1.buttons";
    const faults = (...list: object[]) => faultsIn(body, buttons(...list));
    expect(faults()).toEqual([`${at} too_small`]);
    expect(faults(...Array.from({ length: 11 }, () => reply))).toEqual([`${at} too_big`]);
    expect(faults(link, link, link)).toEqual([`${at}.2.type too_big`]);
    expect(faults(phone, phone)).toEqual([`${at}.1.type too_big`]);
    expect(faults(code, code)).toEqual([`${at}.1.type too_big`]);
    expect(faults(reply, link, reply)).toEqual([`${at} invalid_value`]);
    expect(faults(link, reply, phone)).toEqual([`${at} invalid_value`]);
    expect(faults(otp)).toEqual([`${at}.0.type invalid_value`]);
    expect(faults({ type: "MPM", text: "x" })).toEqual([`${at}.0.type invalid_type`]);
    expect(faults({ ...reply, text: "x".repeat(26) })).toEqual([`${at}.0.text too_big`]);
    expect(faults({ ...link, url: "acme.test" })).toEqual([`${at}.0.url invalid_format`]);
    expect(faults({ ...link, url: "https://acme.test/{{1}}" })).toEqual([`${at}.0.example required`]);
    expect(faults({ ...link, example: ["x"] })).toEqual([`${at}.0.example unknown_field`]);
    for (const url of [
      "https://acme.test/{{1}}/x",
      "https://acme.test/{{2}}",
      "https://{{1}}.test/{{1}}",
      "https://acme.test/{{id}}",
    ])
      expect(faults({ ...link, url, example: ["x"] }), url).toEqual([`${at}.0.url invalid_variable`]);
    expect(faults({ ...phone, phone_number: "call us" })).toEqual([`${at}.0.phone_number invalid_format`]);
    expect(faults({ ...code, example: "x".repeat(16) })).toEqual([`${at}.0.example too_big`]);
    expect(faults({ type: "FLOW", text: "Book" })).toEqual([`${at}.0.flow_id required`]);
    expect(faults({ ...flow, flow_name: "booking" })).toEqual([`${at}.0.flow_id invalid_value`]);
  });

  it("A template for a provider can have two to ten cards with the same parts, if its category is MARKETING", () => {
    const at = "components.1";
    expect(faultsIn(body, carousel(card()))).toEqual([`${at}.cards too_small`]);
    expect(faultsIn(body, carousel(...Array.from({ length: 11 }, () => card())))).toEqual([`${at}.cards too_big`]);
    expect(faultsIn(body, carousel(card(), card(body)))).toEqual([`${at}.cards.1 invalid_value`]);
    expect(faultsIn(body, carousel(card(buttons(link)), card(buttons(reply))))).toEqual([
      `${at}.cards.1 invalid_value`,
    ]);
    const long = { type: "BODY", text: "x".repeat(161) };
    expect(faultsIn(body, carousel(card(long), card(body)))).toEqual([`${at}.cards.0.components.1.text too_big`]);
    const document = { components: [file("DOCUMENT")] };
    expect(faultsIn(body, carousel(document, document))).toEqual([
      `${at}.cards.0.components.0.format invalid_value`,
      `${at}.cards.1.components.0.format invalid_value`,
    ]);
    const bare = { components: [body] };
    expect(faultsIn(body, carousel(bare, bare))).toEqual([
      `${at}.cards.0.components required`,
      `${at}.cards.1.components required`,
    ]);
    const busy = card(buttons(link, reply, phone));
    expect(faultsIn(body, carousel(busy, busy)).every((fault) => fault.includes("buttons"))).toBe(true);
    expect(faultsIn(body, carousel(card(buttons(code)), card(buttons(code))))).toHaveLength(2);
    expect(faultsIn(body, carousel(card(), card()), { type: "FOOTER", text: "x" })).toEqual([
      "components.2.type invalid_value",
    ]);
    expect(faultsOf({ category: "UTILITY", components: [body, carousel(card(), card())] })).toEqual([
      `${at}.type invalid_value`,
    ]);
  });

  it("A template for a one-time password has no text of its own, and exactly one button", () => {
    const own = { type: "BODY", add_security_recommendation: true };
    const footer = { type: "FOOTER", code_expiration_minutes: 10 };
    expect(faultsOfOneTime(own, footer, buttons(otp))).toEqual([]);
    expect(faultsOfOneTime(own, buttons({ ...otp, otp_type: "ONE_TAP", supported_apps: apps }))).toEqual([]);
    expect(faultsOfOneTime(own, buttons({ ...otp, otp_type: "ONE_TAP" }))).toEqual([
      "components.1.buttons.0.supported_apps required",
    ]);
    expect(faultsOfOneTime(own, buttons({ ...otp, otp_type: "ZERO_TAP", supported_apps: apps }))).toEqual([
      "components.1.buttons.0.zero_tap_terms_accepted required",
    ]);
    expect(faultsOfOneTime(body, buttons(otp))).toEqual(["components.0.text unknown_field"]);
    expect(faultsOfOneTime(own)).toEqual(["components required"]);
    expect(faultsOfOneTime(own, buttons(otp, otp))).toEqual(["components.1.buttons invalid_value"]);
    expect(faultsOfOneTime(own, buttons(link))).toEqual(["components.1.buttons invalid_value"]);
    expect(faultsOfOneTime(own, buttons(otp), file("IMAGE"))).toEqual(["components.2.type invalid_value"]);
    expect(faultsOfOneTime(own, { ...footer, code_expiration_minutes: 91 }, buttons(otp))).toEqual([
      "components.1.code_expiration_minutes too_big",
    ]);
    expect(faultsIn({ ...body, add_security_recommendation: true })).toEqual([
      "components.0.add_security_recommendation unknown_field",
    ]);
  });
});

describe("Submitted templates", () => {
  it("A submitted template can have component and button types in lower case, as in Meta's documentation", () => {
    const draft = { connection_id: "conn_1", name: "sale", language: "en", category: "MARKETING" };
    const lower = [
      { type: "header", format: "text", text: "Sale" },
      { ...body, type: "body" },
      { type: "buttons", buttons: [{ ...reply, type: "quick_reply" }] },
    ];
    expect(createTemplateBody.parse({ ...draft, components: lower })).toEqual({
      ...draft,
      components: [{ type: "HEADER", format: "TEXT", text: "Sale" }, body, buttons(reply)],
    });
  });

  it("A submitted template is either local or external, and all its errors are returned at once", () => {
    expect(faultsOf({ connection_id: undefined, language: undefined }).toSorted()).toEqual([
      "connection_id required",
      "language required",
    ]);
    expect(faultsOf({ body: "Hi", name: "Order update" }).toSorted()).toEqual([
      "body unknown_field",
      "name invalid_format",
    ]);
    expect(faultsOf({ category: "SERVICE", language: "english", components: [reply] }).toSorted()).toEqual([
      "category invalid_value",
      "components.0.type invalid_type",
      "language invalid_format",
    ]);
    expect(faultsOf({ name: "x".repeat(121) })).toEqual(["name too_big"]);
    for (const language of ["en", "pt_BR", "fil", "zh_CN"]) expect(faultsOf({ language })).toEqual([]);
  });
});
