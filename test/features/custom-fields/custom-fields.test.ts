import { beforeEach, describe, expect, it } from "vitest";
import { contactView } from "../../../src/features/contacts/contacts.schemas.ts";
import { stopClock } from "../../support/clock.ts";
import { type Answer, type Customer, World } from "../../support/world.ts";

const world = new World();

beforeEach(stopClock);

const field = (field_key: string, type = "text", options?: string[]) => ({
  field_key,
  label: "Label",
  type,
  ...(options && { options }),
});

const post = (customer: Customer, body: object, headers = {}): Promise<Answer> =>
  customer.call("POST", "/custom-fields", body, { headers });

const create = async (customer: Customer, ...args: Parameters<typeof field>) =>
  (await post(customer, field(...args))).body.custom_field;

const patch = (customer: Customer, { id }: { id: string }, body: object): Promise<Answer> =>
  customer.call("PATCH", `/custom-fields/${id}`, body);

const list = async (customer: Customer) => (await customer.call("GET", "/custom-fields?limit=100")).body.custom_fields;

describe("New custom fields", () => {
  it("Creating a custom field returns the field as it was sent, in one round trip", async () => {
    const customer = await world.customer();
    const answer = await post(customer, { field_key: "plan", label: " Plan ", type: "select", options: [" a", "b"] });
    expect(answer.status).toBe(201);
    expect(answer.headers.get("Server-Timing")).toMatch(/trips=1 /);
    expect(answer.body.custom_field).toEqual({
      id: expect.stringMatching(/^cf_[0-9a-z]{26}$/),
      field_key: "plan",
      label: "Plan",
      type: "select",
      options: ["a", "b"],
      created_at: expect.stringMatching(/Z$/),
    });
    expect(await list(customer)).toEqual([answer.body.custom_field]);
  });

  it("Custom fields of every type can be created", async () => {
    const customer = await world.customer();
    for (const type of ["text", "number", "boolean", "date", "datetime", "country", "url", "email", "phone"]) {
      expect(await create(customer, `a_${type}`, type)).toMatchObject({ type, options: null });
    }
    expect(await create(customer, "a_list", "multi_select", ["x"])).toMatchObject({ options: ["x"] });
  });

  it.each([
    ["an empty body", {}, ["field_key", "label", "type"]],
    ["a key with a capital", field("Plan"), ["field_key"]],
    ["a key that begins with a digit", field("1st"), ["field_key"]],
    ["a key of 51 characters", field("a".repeat(51)), ["field_key"]],
    ["a label of 121 characters", { ...field("a"), label: "x".repeat(121) }, ["label"]],
    ["an unknown type", field("a", "json"), ["type"]],
    ["a select without options", field("a", "select"), ["options"]],
    ["a select with none", field("a", "multi_select", []), ["options"]],
    ["options of a text", field("a", "text", ["x"]), ["options"]],
    ["an empty option", field("a", "select", ["x", " "]), ["options.1"]],
    ["an option of 101 characters", field("a", "select", ["x".repeat(101)]), ["options.0"]],
    ["an option that is there twice", field("a", "select", ["x", "y", " x"]), ["options.2"]],
    [
      "201 options",
      field(
        "a",
        "select",
        Array.from({ length: 201 }, (_, n) => `${n}`),
      ),
      ["options"],
    ],
    ["an unknown field", { ...field("a"), required: true }, ["required"]],
  ])("A new custom field is rejected with %s", async (_, body, paths) => {
    const customer = await world.customer();
    const { error } = (await post(customer, body)).body;
    expect(error.code).toBe("validation_failed");
    expect(error.details.map(({ path }: { path: string }) => path)).toEqual(paths);
    expect(await list(customer)).toEqual([]);
  });

  it("A custom field cannot have the name of a built-in field as its key", async () => {
    const customer = await world.customer();
    for (const name of [...Object.keys(contactView.shape), "first_name"]) {
      expect((await post(customer, field(name))).status, name).toBe(400);
    }
  });

  it("A custom field can have a key of 50 characters and 200 options of 100 characters", async () => {
    const customer = await world.customer();
    const options = Array.from({ length: 200 }, (_, index) => `${index} `.padEnd(100, "x"));
    const made = await create(customer, "a".repeat(50), "multi_select", options);
    expect(made.options).toEqual(options);
  });

  it("A custom field with the key of an existing field is rejected, and the error names the existing field", async () => {
    const customer = await world.customer();
    const made = await create(customer, "plan");
    const answer = await post(customer, field("plan", "number"));
    expect(answer.status).toBe(409);
    expect(answer.body.error).toMatchObject({
      code: "conflict",
      details: { field: "field_key", custom_field_id: made.id },
    });
  });

  it("A workspace has at most a hundred custom fields, even after concurrent requests", { tags: "long" }, async () => {
    const customer = await world.customer();
    const answers = await Promise.all(Array.from({ length: 110 }, (_, index) => post(customer, field(`f${index}`))));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(100);
    const refused = answers.find(({ status }) => status !== 201);
    expect(refused).toMatchObject({
      status: 409,
      body: { error: { code: "invalid_state", details: { status: "full" } } },
    });
    const [some] = await list(customer);
    await customer.call("DELETE", `/custom-fields/${some.id}`);
    expect((await post(customer, field("g"))).status).toBe(201);
    const page = await customer.call("GET", "/custom-fields?limit=30");
    expect(page.body.custom_fields.map(({ field_key }: { field_key: string }) => field_key)[0]).toBe("g");
    const next = await customer.call("GET", `/custom-fields?limit=100&cursor=${page.body.next_cursor}`);
    expect(next.body).toMatchObject({ custom_fields: { length: 70 }, next_cursor: null });
  });

  it("A repeated request to create a custom field returns the stored response and creates no second field", async () => {
    const customer = await world.customer();
    const headers = { "Idempotency-Key": "k" };
    const answers = await Promise.all([1, 2, 3].map(() => post(customer, field("plan"), headers)));
    expect(new Set(answers.map(({ body }) => body.custom_field?.id)).size).toBe(1);
    expect(await list(customer)).toHaveLength(1);
  });
});

describe("Changed custom fields", () => {
  it("A custom field can get a new label and new options, and a request may repeat its key and type", async () => {
    const customer = await world.customer();
    const made = await create(customer, "plan", "select", ["a", "b"]);
    const changed = await patch(customer, made, { ...field("plan", "select", ["c", "b", "a"]), label: "Tariff" });
    expect(changed.status).toBe(200);
    expect(changed.headers.get("Server-Timing")).toMatch(/trips=2 /);
    expect(changed.body.custom_field).toEqual({ ...made, label: "Tariff", options: ["c", "b", "a"] });
    const text = await create(customer, "note");
    expect((await patch(customer, text, { label: "Note", options: null })).body.custom_field.label).toBe("Note");
  });

  it("A change to a custom field with a new key, a new type or unsuitable options is rejected and changes nothing", async () => {
    const customer = await world.customer();
    const made = await create(customer, "plan", "select", ["a"]);
    const text = await create(customer, "note");
    const paths = async (target: { id: string }, body: object) =>
      (await patch(customer, target, body)).body.error.details.map(({ path }: { path: string }) => path);
    expect(await paths(made, { field_key: "tariff", type: "text", label: "x" })).toEqual(["field_key", "type"]);
    expect(await paths(made, { options: null })).toEqual(["options"]);
    expect(await paths(made, { options: [] })).toEqual(["options"]);
    expect(await paths(made, { options: ["a", "a"] })).toEqual(["options.1"]);
    expect(await paths(text, { options: ["a"], label: "x" })).toEqual(["options"]);
    expect(await list(customer)).toEqual([text, made]);
  });

  it("A removed option of a custom field cannot be added again before the cleanup has cleared it from contacts", async () => {
    const customer = await world.customer();
    const made = await create(customer, "plan", "select", ["a", "b", "c"]);
    expect((await patch(customer, made, { options: ["c"] })).body.custom_field.options).toEqual(["c"]);
    const refused = await patch(customer, made, { options: ["c", "b"], label: "x" });
    expect(refused.status).toBe(409);
    expect(refused.body.error).toMatchObject({
      code: "invalid_state",
      message: expect.stringContaining(`"b"`),
      details: { status: "clearing", options: ["b"] },
    });
    expect((await list(customer))[0]).toEqual({ ...made, options: ["c"] });
    expect((await patch(customer, made, { options: ["c", "d"] })).status).toBe(200);
    await world.cron();
    expect((await patch(customer, made, { options: ["b", "c"] })).body.custom_field.options).toEqual(["b", "c"]);
  });

  it("A removed option of a custom field is rejected for contacts also after the cleanup", async () => {
    const customer = await world.customer();
    const made = await create(customer, "plan", "select", ["a", "b"]);
    const contact = (phone: string) => customer.call("POST", "/contacts", { phone, custom_fields: { plan: "b" } });
    // The isolate now has the options in its cache.
    expect((await contact("+14155550101")).status).toBe(201);
    expect((await contact("+14155550102")).status).toBe(201);
    expect((await patch(customer, made, { options: ["a"] })).status).toBe(200);
    await world.cron();
    expect((await contact("+14155550103")).body.error?.details).toMatchObject([{ path: "custom_fields.plan" }]);
  });

  it("Concurrent requests that remove options of a custom field clear all removed options", async () => {
    const customer = await world.customer();
    const options = Array.from({ length: 20 }, (_, index) => `${index}`);
    const made = await create(customer, "plan", "select", options);
    await Promise.all(
      options.slice(1).map((_, index) => patch(customer, made, { options: options.slice(0, 19 - index) })),
    );
    for (const option of options.slice(1)) {
      expect((await patch(customer, made, { options: ["0", option] })).body.error?.details.status).toBe("clearing");
    }
  });

  it("A custom field is deleted once, and its key can then be used again", async () => {
    const customer = await world.customer();
    const made = await create(customer, "plan", "select", ["a"]);
    const deleted = await customer.call("DELETE", `/custom-fields/${made.id}`);
    expect(deleted).toMatchObject({ status: 200, body: { custom_field: made } });
    world.advance(1);
    expect((await customer.call("DELETE", `/custom-fields/${made.id}`)).status).toBe(404);
    expect((await patch(customer, made, { label: "x" })).status).toBe(404);
    expect((await create(customer, "plan", "number")).id).not.toBe(made.id);
  });

  it("Another workspace's custom fields return 404", async () => {
    const [customer, stranger] = [await world.customer(), await world.customer()];
    const made = await create(customer, "plan");
    expect((await patch(stranger, made, { label: "x" })).status).toBe(404);
    expect((await patch(stranger, made, { type: "number" })).status).toBe(404);
    expect((await stranger.call("DELETE", `/custom-fields/${made.id}`)).status).toBe(404);
    expect(await list(stranger)).toEqual([]);
    expect((await post(stranger, field("plan"))).status).toBe(201);
    expect(await list(customer)).toEqual([made]);
  });
});
