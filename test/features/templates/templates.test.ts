import { beforeEach, describe, expect, it } from "vitest";
import { stopClock } from "../../support/clock.ts";
import { costOf } from "../../support/storage.ts";
import { type Answer, type Customer, World } from "../../support/world.ts";

const world = new World();

beforeEach(stopClock);

const create = async (customer: Customer, name: string, body = "Hello"): Promise<Answer["body"]> =>
  (await customer.call("POST", "/templates", { name, body })).body.template;

const names = async (customer: Customer, query = ""): Promise<string[]> =>
  (await customer.call("GET", `/templates${query}`)).body.templates.map(({ name }: { name: string }) => name);

const codesOf = ({ status, body }: Answer): string[] => {
  expect([status, body.error?.code]).toEqual([400, "validation_failed"]);
  return body.error.details.map(({ path, code }: { path: string; code: string }) => `${path} ${code}`);
};

describe("New templates", () => {
  it("A new local template is approved immediately", async () => {
    const customer = await world.customer();
    const body = " Hi {{ name | there }}, it is {{day}}.\n";
    const answer = await customer.call("POST", "/templates", { name: "  Reminder ", body });
    expect(answer.status).toBe(201);
    const at = new Date().toISOString();
    expect(answer.body).toEqual({
      success: true,
      template: {
        id: expect.stringMatching(/^tpl_[0-9a-z]{26}$/),
        name: "Reminder",
        body,
        status: "APPROVED",
        source: "local",
        connection_id: null,
        language: null,
        category: null,
        variables: ["name", "day"],
        components: [],
        quality: null,
        rejection_reason: null,
        sendable: true,
        missing: [],
        created_at: at,
        updated_at: at,
      },
    });
    const { template } = answer.body;
    expect((await customer.call("GET", `/templates/${template.id}`)).body).toEqual({ success: true, template });
    expect((await customer.call("GET", "/templates")).body).toEqual({
      success: true,
      templates: [template],
      next_cursor: null,
    });
  });

  it("A new template with missing, unknown, long or non-text fields is rejected with all errors", async () => {
    const customer = await world.customer();
    const post = async (body: object) => codesOf(await customer.call("POST", "/templates", body)).toSorted();
    expect(await post({})).toEqual(["body required", "name required"]);
    expect(await post({ name: " ", body: "\n" })).toEqual(["body too_small", "name too_small"]);
    expect(await post({ name: "x".repeat(121), body: "y".repeat(4097) })).toEqual(["body too_big", "name too_big"]);
    expect(await post({ name: 1, body: null, status: "APPROVED" })).toEqual([
      "body invalid_type",
      "name invalid_type",
      "status unknown_field",
    ]);
    expect(await post({ name: "a", body: "{{" })).toEqual(["body unclosed_variable"]);
    expect(await post({ name: "a", body: "{{1}} {{name}}" })).toEqual(["body mixed_variables"]);
    expect(await post({ name: "a", body: "{{}} {{x|}} {{3}} {{a-b}}" })).toEqual([
      "body empty_fallback",
      "body empty_variable",
      "body invalid_variable",
    ]);
    expect(await names(customer)).toEqual([]);
  });

  it("The body of a template can have up to 4,096 characters of any kind", async () => {
    const customer = await world.customer();
    const body = `${"😀".repeat(4091)}{{1}}`;
    expect((await create(customer, "😀".repeat(120), body)).body).toBe(body);
  });

  it("A new template is rejected with the name of a local template, but accepted with the name of an external one", async () => {
    const customer = await world.customer({ channel: "official" });
    const first = await create(customer, "Reminder");
    const answer = await customer.call("POST", "/templates", { name: "Reminder ", body: "Other" });
    expect([answer.status, answer.body.error.code, answer.body.error.details]).toEqual([
      409,
      "conflict",
      { field: "name", template_id: first.id },
    ]);
    expect(await create(customer, "sandbox_welcome")).toMatchObject({ source: "local" });
  });

  it("Fifty concurrent requests with one name create one template", async () => {
    const customer = await world.customer();
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => customer.call("POST", "/templates", { name: "A", body: "B" })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(49);
  });

  it("A repeated request to create a template returns the first response", async () => {
    const customer = await world.customer();
    const ask = { headers: { "Idempotency-Key": "k1" } };
    const first = await customer.call("POST", "/templates", { name: "A", body: "B" }, ask);
    const again = await customer.call("POST", "/templates", { name: "A", body: "B" }, ask);
    expect([again.status, again.body]).toEqual([201, first.body]);
    const other = await customer.call("POST", "/templates", { name: "A", body: "C" }, ask);
    expect(other.body.error.code).toBe("idempotency_key_reused");
    expect(await names(customer)).toEqual(["A"]);
  });
});

describe("Template lists", () => {
  async function expectListed(count: number, limit: number): Promise<void> {
    const customer = await world.customer();
    const made: string[] = [];
    for (let index = 0; index < count; index++) {
      world.advance(1);
      made.unshift((await create(customer, `t${index}`)).name);
    }
    expect(await names(customer)).toEqual(made);
    const seen: string[] = [];
    let cursor = "";
    do {
      const { body } = await customer.call("GET", `/templates?limit=${limit}${cursor && `&cursor=${cursor}`}`);
      expect(body.templates.length).toBeLessThanOrEqual(limit);
      seen.push(...body.templates.map(({ name }: { name: string }) => name));
      cursor = body.next_cursor ?? "";
    } while (cursor !== "");
    expect(seen).toEqual(made);
  }

  it("The list of templates is complete without a limit, newest first, and has pages with a limit", () =>
    expectListed(30, 20));

  it(
    "The list of 150 templates is complete without a limit, newest first, and has pages with a limit",
    { tags: "long" },
    () => expectListed(150, 100),
  );

  it("The list of templates can be filtered by status and source, and reads only the returned rows", async () => {
    const customer = await world.customer({ channel: "official" });
    for (let index = 0; index < 30; index++) await create(customer, `t${index}`);
    expect(await names(customer, "?source=external")).toHaveLength(7);
    expect(await names(customer, "?source=local")).toHaveLength(30);
    expect(await names(customer, "?status=APPROVED")).toHaveLength(35);
    expect(await names(customer, "?status=PENDING")).toEqual(["sandbox_promo"]);
    expect(await names(customer, "?status=REJECTED&source=local")).toEqual([]);
    expect((await names(customer, "?status=APPROVED&source=external")).toSorted()).toEqual([
      "sandbox_carousel",
      "sandbox_login_code",
      "sandbox_order_update",
      "sandbox_photo",
      "sandbox_welcome",
    ]);
    for (const query of ["?source=external", "?status=REJECTED", "?status=APPROVED&source=external", "?limit=2"]) {
      const answer = await customer.call("GET", `/templates${query}`);
      expect(costOf(answer)).toMatchObject({ trips: 1 });
      expect(costOf(answer)["rows_read"]).toBeLessThanOrEqual(3 * answer.body.templates.length + 5);
    }
  });

  it.each(["status=approved", "status=", "source=remote", "limit=0", "limit=101", "cursor=x", "offset=1", "name=a"])(
    "The list of templates rejects %s",
    async (query) => {
      const customer = await world.customer();
      expect(codesOf(await customer.call("GET", `/templates?${query}`))).toHaveLength(1);
    },
  );
});

describe("Changed templates", () => {
  it("A change to a template changes only the sent fields", async () => {
    const customer = await world.customer();
    const template = await create(customer, "A", "Hi {{name}}");
    world.advance(1000);
    const updated_at = new Date().toISOString();
    const renamed = (await customer.call("PATCH", `/templates/${template.id}`, { name: "B" })).body.template;
    expect(renamed).toEqual({ ...template, name: "B", updated_at });
    const change = { name: "B", body: "{{2}} {{1}}" };
    const rewritten = (await customer.call("PATCH", `/templates/${template.id}`, change)).body.template;
    expect(rewritten).toEqual({ ...renamed, body: "{{2}} {{1}}", variables: ["1", "2"] });
    world.advance(1000);
    expect((await customer.call("PATCH", `/templates/${template.id}`, {})).body.template).toEqual(rewritten);
  });

  it("Changing a template to an existing name or an invalid body is rejected and changes nothing", async () => {
    const customer = await world.customer();
    const [a, b] = [await create(customer, "A"), await create(customer, "B")];
    const taken = await customer.call("PATCH", `/templates/${b.id}`, { name: "A", body: "New" });
    expect([taken.status, taken.body.error.details]).toEqual([409, { field: "name", template_id: a.id }]);
    expect(codesOf(await customer.call("PATCH", `/templates/${b.id}`, { body: "{{1" }))).toEqual([
      "body unclosed_variable",
    ]);
    expect(codesOf(await customer.call("PATCH", `/templates/${b.id}`, { name: null }))).toEqual(["name invalid_type"]);
    expect((await customer.call("GET", `/templates/${b.id}`)).body.template).toEqual(b);
  });

  it("A template is deleted once, and its name can then be used again", async () => {
    const customer = await world.customer();
    const template = await create(customer, "A");
    const ask = { headers: { "Idempotency-Key": "d" } };
    const deleted = await customer.call("DELETE", `/templates/${template.id}`, undefined, ask);
    expect(deleted).toMatchObject({ status: 200, body: { template } });
    const again = await customer.call("DELETE", `/templates/${template.id}`, undefined, ask);
    expect(again.body).toEqual(deleted.body);
    expect(again.headers.get("Idempotent-Replayed")).toBe("true");
    for (const method of ["GET", "PATCH", "DELETE"]) {
      const answer = await customer.call(method, `/templates/${template.id}`, method === "PATCH" ? {} : undefined);
      expect([method, answer.status]).toEqual([method, 404]);
    }
    expect((await create(customer, "A")).id).not.toBe(template.id);
  });

  it("The name and text of an external template cannot be changed", async () => {
    const customer = await world.customer({ channel: "official" });
    const [template] = (await customer.call("GET", "/templates?limit=1")).body.templates;
    const change = { name: "Mine", body: "Hi" };
    expect(codesOf(await customer.call("PATCH", `/templates/${template.id}`, change))).toEqual([
      "name unknown_field",
      "body unknown_field",
    ]);
    expect((await customer.call("PATCH", `/templates/${template.id}`, {})).body.template).toEqual(template);
    expect((await customer.call("GET", `/templates/${template.id}`)).body.template).toEqual(template);
  });

  it("A template of another workspace is not found", async () => {
    const [customer, stranger] = [await world.customer(), await world.customer()];
    const template = await create(customer, "A");
    for (const [method, body] of [
      ["GET", undefined],
      ["PATCH", { name: "B" }],
      ["DELETE", undefined],
    ] as const) {
      const answer = await stranger.call(method, `/templates/${template.id}`, body);
      expect(answer.status).toBe(404);
      expect(answer.body.error).toEqual((await stranger.call(method, "/templates/tpl_unknown", body)).body.error);
    }
    expect(await create(stranger, "A")).toMatchObject({ name: "A" });
    expect((await customer.call("GET", `/templates/${template.id}`)).body.template).toEqual(template);
  });
});
