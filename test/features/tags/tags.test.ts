import { beforeEach, describe, expect, it } from "vitest";
import { stopClock } from "../../support/clock.ts";
import { type Customer, World } from "../../support/world.ts";

const world = new World();

beforeEach(stopClock);

const create = async (customer: Customer, name: string, color?: string) =>
  (await customer.call("POST", "/tags", { name, ...(color && { color }) })).body.tag;

const names = async (customer: Customer): Promise<string[]> =>
  (await customer.call("GET", "/tags?limit=100")).body.tags.map((tag: { name: string }) => tag.name);

describe("New tags", () => {
  it("A new tag has the requested color, and the requested name without spaces at its ends", async () => {
    const customer = await world.customer();
    const answer = await customer.call("POST", "/tags", { name: "  VIP ", color: "#Ff8800" });
    expect(answer.status).toBe(201);
    expect(answer.body.tag).toEqual({
      id: expect.stringMatching(/^tag_[0-9a-z]{26}$/),
      name: "VIP",
      color: "#Ff8800",
      created_at: expect.stringMatching(/Z$/),
    });
    expect((await customer.call("GET", "/tags")).body).toEqual({
      success: true,
      tags: [answer.body.tag],
      next_cursor: null,
    });
  });

  it("Creating a tag costs one round trip, and a list reads two rows per tag", async () => {
    const customer = await world.customer();
    const created = await customer.call("POST", "/tags", { name: "a" });
    expect(created.headers.get("Server-Timing")).toMatch(/trips=1 /);
    for (const name of ["b", "c", "d"]) await customer.call("DELETE", `/tags/${(await create(customer, name)).id}`);
    await create(customer, "e");
    expect((await customer.call("GET", "/tags")).headers.get("Server-Timing")).toMatch(/trips=1 .*rows_read=[1-4] /);
  });

  it("New tags without a color get different colors", async () => {
    const customer = await world.customer();
    const tags = await Promise.all(Array.from({ length: 24 }, (_, index) => create(customer, `tag ${index}`)));
    const colors = tags.map(({ color }) => color);
    for (const color of colors) expect(color).toMatch(/^#[0-9a-f]{6}$/);
    expect(new Set(colors).size).toBe(12);
  });

  it.each([
    ["a missing name", {}, "name"],
    ["an empty name", { name: "  " }, "name"],
    ["a name of 61 characters", { name: "x".repeat(61) }, "name"],
    ["a colour that is a word", { name: "a", color: "red" }, "color"],
    ["a colour with alpha", { name: "a", color: "#ff0000ff" }, "color"],
    ["an unknown field", { name: "a", colour: "#ff0000" }, "colour"],
  ])("A new tag is rejected with %s", async (_, body, path) => {
    const customer = await world.customer();
    const answer = await customer.call("POST", "/tags", body);
    expect(answer.status).toBe(400);
    expect(answer.body.error).toMatchObject({ code: "validation_failed", details: [{ path }] });
    expect(await names(customer)).toEqual([]);
  });

  it("A tag's name can have 60 characters of any kind", async () => {
    const customer = await world.customer();
    expect((await create(customer, "🎉".repeat(60))).name).toBe("🎉".repeat(60));
  });

  it("A new tag with the name of an existing tag in any case is rejected, and the error names the existing tag", async () => {
    const customer = await world.customer();
    const tag = await create(customer, "Straße");
    for (const name of ["Straße", "STRASSE", "ｓtraße"]) {
      const answer = await customer.call("POST", "/tags", { name });
      expect(answer.status).toBe(409);
      expect(answer.body.error).toMatchObject({ code: "conflict", details: { field: "name", tag_id: tag.id } });
    }
  });

  it("Twenty concurrent requests with the same name create one tag", async () => {
    const customer = await world.customer();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => customer.call("POST", "/tags", { name: index % 2 ? "vip" : "VIP" })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(19);
  });

  it("A repeated request to create a tag returns the stored response and creates no second tag", async () => {
    const customer = await world.customer();
    const headers = { "Idempotency-Key": "k1" };
    const first = await customer.call("POST", "/tags", { name: "a" }, { headers });
    const again = await customer.call("POST", "/tags", { name: "a" }, { headers });
    expect(again.body).toEqual(first.body);
    expect(again.headers.get("Idempotent-Replayed")).toBe("true");
    const other = await customer.call("POST", "/tags", { name: "b" }, { headers });
    expect(other.body.error.code).toBe("idempotency_key_reused");
    expect(await names(customer)).toEqual(["a"]);
  });
});

describe("Tag lists", () => {
  it("Forty tags are listed in pages newest first, each once", async () => {
    const customer = await world.customer();
    const made: string[] = [];
    for (let index = 0; index < 40; index += 20) {
      const tags = await Promise.all(Array.from({ length: 20 }, (_, n) => create(customer, `tag ${index + n}`)));
      made.push(...tags.map(({ id }) => id));
    }
    const seen: string[] = [];
    let cursor = "";
    do {
      const { body } = await customer.call("GET", `/tags?limit=15${cursor && `&cursor=${cursor}`}`);
      seen.push(...body.tags.map(({ id }: { id: string }) => id));
      cursor = body.next_cursor ?? "";
    } while (cursor !== "");
    expect(seen).toHaveLength(40);
    expect(seen.toSorted()).toEqual(made.toSorted());
  });

  it.each(["limit=0", "limit=101", "cursor=x", "offset=1", "search=a"])(
    "The list of tags rejects %s",
    async (query) => {
      const customer = await world.customer();
      expect((await customer.call("GET", `/tags?${query}`)).body.error.code).toBe("validation_failed");
    },
  );
});

describe("Changed tags", () => {
  it("A change to a tag affects only the sent fields, and can change the case of the name", async () => {
    const customer = await world.customer();
    const tag = await create(customer, "vip", "#112233");
    const renamed = await customer.call("PATCH", `/tags/${tag.id}`, { name: "VIP" });
    expect(renamed.body.tag).toEqual({ ...tag, name: "VIP" });
    const recolored = await customer.call("PATCH", `/tags/${tag.id}`, { color: "#445566" });
    expect(recolored.body.tag).toEqual({ ...tag, name: "VIP", color: "#445566" });
    expect((await customer.call("PATCH", `/tags/${tag.id}`, {})).body.tag).toEqual(recolored.body.tag);
  });

  it("Renaming a tag to the name of another tag is rejected and changes nothing", async () => {
    const customer = await world.customer();
    const [a, b] = [await create(customer, "a"), await create(customer, "b")];
    const answer = await customer.call("PATCH", `/tags/${b.id}`, { name: "A", color: "#000000" });
    expect(answer.status).toBe(409);
    expect(answer.body.error.details).toEqual({ field: "name", tag_id: a.id });
    expect((await customer.call("GET", "/tags")).body.tags).toEqual([b, a]);
  });

  it("A tag is deleted once, and its name can then be used again", async () => {
    const customer = await world.customer();
    const tag = await create(customer, "a");
    const deleted = await customer.call("DELETE", `/tags/${tag.id}`, undefined, {
      headers: { "Idempotency-Key": "d" },
    });
    expect(deleted).toMatchObject({ status: 200, body: { tag } });
    const replay = await customer.call("DELETE", `/tags/${tag.id}`, undefined, { headers: { "Idempotency-Key": "d" } });
    expect(replay.body).toEqual(deleted.body);
    world.advance(1);
    expect((await customer.call("DELETE", `/tags/${tag.id}`)).status).toBe(404);
    expect((await customer.call("PATCH", `/tags/${tag.id}`, { name: "b" })).status).toBe(404);
    expect((await create(customer, "a")).id).not.toBe(tag.id);
  });

  it("Tags of another workspace return 404", async () => {
    const [customer, stranger] = [await world.customer(), await world.customer()];
    const tag = await create(customer, "a");
    for (const [method, body] of [
      ["PATCH", { name: "b" }],
      ["DELETE", undefined],
    ] as const) {
      const answer = await stranger.call(method, `/tags/${tag.id}`, body);
      expect(answer.status).toBe(404);
      expect(answer.body.error).toEqual((await stranger.call(method, "/tags/tag_unknown", body)).body.error);
    }
    expect(await create(stranger, "a")).toMatchObject({ name: "a" });
    expect(await names(customer)).toEqual(["a"]);
  });
});
