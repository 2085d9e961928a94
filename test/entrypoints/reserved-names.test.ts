import fc from "fast-check";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { loadConsole } from "../../src/entrypoints/http.ts";
import { surfaces } from "../support/surfaces.ts";
import { sampleAndRest } from "../support/long.ts";
import { Visitor } from "../support/visitor.ts";
import { type Customer, phoneEnding, World } from "../support/world.ts";

const pages = await loadConsole();
const pristine = Object.getOwnPropertyNames(Object.prototype);

let world: World;
let customer: Customer;
let visitor: Visitor;

beforeAll(async () => {
  world = new World();
  customer = await world.customer({ plan: "scale" });
  visitor = await customer.member("owner");
});

afterEach(() => {
  const added = Object.getOwnPropertyNames(Object.prototype).filter((name) => !pristine.includes(name));
  if (added.length > 0) throw new Error(`Every object has got ${added.join(", ")}.`);
});

/** Expects an API write and an inbound message to succeed. */
async function expectWorking(): Promise<void> {
  expect((await customer.call("POST", "/contacts", { phone: phoneEnding("1111") })).status).toBe(201);
  const from = phoneEnding("1111");
  await customer.receive(from, "Hello");
  const { conversations } = (await customer.call("GET", "/conversations?limit=1")).body;
  expect(conversations[0]).toMatchObject({ contact: { phone: from }, unread_count: 1 });
}

const RESERVED = ["__proto__", "constructor", "prototype"];
/** These names are valid, and every object inherits them. */
const inherited = ["toString", "valueOf", "hasOwnProperty", "__defineGetter__", "toLocaleString", "isPrototypeOf"];
const FIELDS = ["email", "company", "events", "config", "custom_fields", "variables", "filter", "conditions", "0"];

const part = fc.oneof(
  fc.constantFrom(...RESERVED),
  fc.constantFrom(...inherited),
  fc.constantFrom(...FIELDS),
  fc.string({ maxLength: 5 }),
);
const fieldName = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join("."));
const form = fc.array(fc.tuple(fieldName, fc.string({ maxLength: 20 })), { minLength: 1, maxLength: 6 });

const isTenth = (_: unknown, index: number) => index % 10 === 0;

/** JSON text, because an object literal with `__proto__` would set the prototype. */
const jsonText: fc.Arbitrary<string> = fc.letrec<{ value: string; object: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant(null)).map((scalar) => JSON.stringify(scalar)),
    tie("object"),
    fc.array(tie("value"), { maxLength: 3 }).map((items) => `[${items.join(",")}]`),
  ),
  object: fc
    .array(fc.tuple(part, tie("value")), { minLength: 1, maxLength: 4 })
    .map((entries) => `{${entries.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(",")}}`),
})).object;

describe("Forms of the console", () => {
  it("A form with a field such as __proto__.company is rejected before sign-in and does not change Object.prototype", async () => {
    const stranger = new Visitor(world);
    for (const name of ["__proto__.company", "__proto__.events", "constructor.prototype.events", "a.__proto__.b"]) {
      const answer = await stranger.post("/console/sign-in", { email: "a@example.com", password: "x", [name]: "1" });
      expect(answer.status, name).toBe(400);
      expect(Reflect.get({}, "company") ?? Reflect.get({}, "events")).toBeUndefined();
    }
    await expectWorking();
  });

  it("A form field whose name has 50 parts, such as a0.a1.a2, is rejected", async () => {
    const deep = Array.from({ length: 50 }, (_, at) => `a${at}`).join(".");
    expect((await visitor.post("/console/sign-in", { [deep]: "1" })).status).toBe(400);
  });

  const forms = [...new Set(pages.routes.filter(({ method }) => method === "POST").map(({ path }) => path))];

  it("The test of reserved names covers more than thirty console forms", () =>
    expect(forms.length).toBeGreaterThan(30));

  async function expectNoErrorOfOurs(path: string): Promise<void> {
    const at = path.replace(/:ws\{[^}]*\}/, customer.workspaceId).replace(/:id(\{[^}]*\})?/, customer.connectionId);
    await fc.assert(
      fc.asyncProperty(form, async (fields) => {
        const body = new URLSearchParams([["csrf_token", visitor.token], ...fields]);
        const answer = await visitor.request("POST", at, body);
        expect(answer.status).toBeLessThan(500);
        // If a form requests a file, the handler reads no field of its body.
        if (!/\/files?$/.test(path) && fields.some(([name]) => name.split(".").some((each) => RESERVED.includes(each))))
          expect(answer.status).toBe(400);
      }),
      { numRuns: 8 },
    );
  }

  describe.each(sampleAndRest(forms, isTenth))("Forms ($which)", ({ some, options }) => {
    it.each(some)("No field name of a console form causes an internal error: %s", options, (path) =>
      expectNoErrorOfOurs(path),
    );
  });
});

describe("JSON bodies", () => {
  const bodies = surfaces.flatMap(({ base, security, endpoints }) =>
    endpoints
      .filter(({ method }) => method !== "get")
      .map(({ method, path }) => ({ name: `${method.toUpperCase()} ${base}${path}`, method, base, path, security })),
  );

  async function expectRefused({ method, base, path, security }: (typeof bodies)[number]): Promise<void> {
    const at = base + path.replace(":ws", customer.workspaceId).replace(":id", customer.connectionId);
    const token = security === "apiKey" ? customer.key : world.env.ADMIN_TOKEN;
    await fc.assert(
      fc.asyncProperty(jsonText, async (raw) => {
        const answer = await world.request(method.toUpperCase(), at, undefined, { token, raw });
        expect(answer.status).toBeGreaterThanOrEqual(400);
        expect(answer.status).toBeLessThan(500);
      }),
      { numRuns: 15 },
    );
  }

  describe.each(sampleAndRest(bodies, isTenth))("Bodies ($which)", ({ some, options }) => {
    it.each(some)("No field name of a JSON body causes an internal error: $name", options, (endpoint) =>
      expectRefused(endpoint),
    );
  });

  it.each(RESERVED)("A body with the name %s at any depth is rejected", async (name) => {
    const contact = (inner: string) => `{"phone":"${phoneEnding("1111")}",${inner}}`;
    const named = `${JSON.stringify(name)}:{"company":"x"}`;
    const asked = async (raw: string) => {
      const { status, body } = await customer.call("POST", "/contacts", undefined, { raw });
      return [status, body.error?.details.map(({ path }: { path: string }) => path)];
    };
    expect(await asked(contact(named))).toEqual([400, expect.arrayContaining([name])]);
    const inside = await asked(contact(`"custom_fields":{${named}}`));
    expect(inside).toEqual([400, expect.arrayContaining([`custom_fields.${name}`])]);

    const rows = `{"contacts":[{"phone":"${phoneEnding("1111")}"},${contact(`"custom_fields":{${named}}`)}]}`;
    const { body } = await customer.call("POST", "/contacts/batch", undefined, { raw: rows });
    expect(body.counts).toMatchObject({ created: 1, failed: 1 });
    await expectWorking();
  });

  it("A body may contain inherited names such as `toString` where the caller chooses names", async () => {
    const unknown = await customer.call("POST", "/contacts", {
      phone: phoneEnding("1111"),
      custom_fields: { toString: "x", valueOf: "y" },
    });
    expect(unknown.body.error.details.map(({ path }: { path: string }) => path)).toEqual([
      "custom_fields.toString",
      "custom_fields.valueOf",
    ]);
    const { template } = (await customer.call("POST", "/templates", { name: "A", body: "Hi {{toString}}" })).body;
    const sent = await customer.call("POST", `/templates/${template.id}/send`, {
      to: phoneEnding("1111"),
      variables: { toString: "there" },
    });
    expect(sent.status).toBe(202);
    expect((await customer.message(sent.body.message_id)).body).toBe("Hi there");
  });
});

describe("Names defined by workspaces", () => {
  it.each(["constructor", "prototype"])("A custom field or a template variable cannot be named %s", async (name) => {
    const field = { field_key: name, label: "A", type: "text" };
    expect((await customer.call("POST", "/custom-fields", field)).status).toBe(400);
    const template = { name: "A", body: `Hi {{${name}}}` };
    expect((await customer.call("POST", "/templates", template)).status).toBe(400);
  });
});

describe("Queries", () => {
  it.each([...RESERVED, "__proto__.x", "constructor.prototype.x"])(
    "The query parameter %s is rejected by the API and causes no internal error in the console",
    async (name) => {
      const answer = await customer.call("GET", `/contacts?${encodeURIComponent(name)}=1`);
      expect(answer).toMatchObject({ status: 400, body: { error: { details: [{ path: `query.${name}` }] } } });
      const page = await visitor.request(
        "GET",
        `/console/${customer.workspaceId}/contacts?${encodeURIComponent(name)}=1`,
      );
      expect(page.status).toBeLessThan(500);
    },
  );
});

describe("Object.prototype", () => {
  it("Object.prototype cannot be extended or changed after the Worker has started", () => {
    expect(Object.isFrozen(Object.prototype)).toBe(true);
    expect(Reflect.set(Object.prototype, "company", "x")).toBe(false);
    expect(() => Reflect.set(Object.prototype, "toString", "x")).toThrow(TypeError);
    expect(Object.prototype.toString.call([])).toBe("[object Array]");
  });

  it("An object can have own properties with the names of inherited ones, although Object.prototype is frozen", () => {
    const own: Record<string, unknown> = {};
    for (const name of inherited) own[name] = name;
    expect(Object.entries(own)).toEqual(inherited.map((name) => [name, name]));
    expect(Object.keys({})).toEqual([]);
  });
});
