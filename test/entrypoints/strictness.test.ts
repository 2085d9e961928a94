import { beforeEach, describe, expect, it } from "vitest";
import { stopClock } from "../support/clock.ts";
import { type Answer, type Customer, phoneEnding, World } from "../support/world.ts";

const MB = 1_048_576;

beforeEach(stopClock);

const post = (customer: Customer, raw: BodyInit, headers: Record<string, string> = {}) =>
  customer.call("POST", "/messages", undefined, { raw, headers });

const faultsOf = ({ status, body }: Answer): [number, string, Record<string, string>] => [
  status,
  body.error.code,
  Object.fromEntries((body.error.details ?? []).map(({ path, code }: { path: string; code: string }) => [path, code])),
];

const streamOf = (text: string) => new Blob([text]).stream();

describe("Bodies", () => {
  it("A body that is not a JSON object returns invalid_json", async () => {
    const customer = await new World().customer();
    const deep = "[".repeat(200_000) + "]".repeat(200_000);
    for (const raw of [
      "{",
      "",
      "[]",
      "null",
      '"text"',
      "4",
      '{"to":}',
      "{'to':1}",
      deep,
      new Uint8Array([0x7b, 0xff, 0x7d]),
    ]) {
      const { status, body } = await post(customer, raw);
      expect([status, body.error.code, body.error.details], String(raw).slice(0, 20)).toEqual([
        400,
        "invalid_json",
        null,
      ]);
    }
  });

  it("A body with a type other than JSON returns unsupported_media_type", async () => {
    const customer = await new World().customer();
    const json = JSON.stringify({ to: phoneEnding("1111"), text: "Hello" });
    for (const type of [
      "text/plain",
      "application/x-www-form-urlencoded",
      "application/jsonp",
      "application/json-patch+json",
    ]) {
      const { status, body } = await post(customer, json, { "Content-Type": type });
      expect([status, body.error.code], type).toEqual([415, "unsupported_media_type"]);
    }
    expect((await post(customer, new TextEncoder().encode(json), { "Content-Type": "" })).status).toBe(415);
    for (const type of ["application/json; charset=utf-8", "Application/JSON", "application/json;charset=utf-8"]) {
      expect((await post(customer, json, { "Content-Type": type })).status, type).toBe(202);
    }
  });

  it("A body has at most 1 MB, with and without Content-Length", async () => {
    const customer = await new World().customer();
    const padded = (bytes: number) => JSON.stringify({ to: 1, text: "" }).padEnd(bytes, " ");
    for (const [raw, headers] of [
      [padded(MB + 1), {}],
      [padded(MB + 1), { "Content-Length": String(MB + 1) }],
      [streamOf(padded(MB + 1)), {}],
      [streamOf(padded(3 * MB)), { "Transfer-Encoding": "chunked" }],
    ] as const) {
      const { status, body } = await post(customer, raw, headers);
      expect([status, body.error.code]).toEqual([413, "payload_too_large"]);
    }
    expect((await post(customer, padded(MB))).status).toBe(400);
    expect((await post(customer, streamOf(padded(MB)))).status).toBe(400);
  });

  it("A request whose fields are all optional may omit its body", async () => {
    const customer = await new World().customer();
    const { conversation_id: id } = (await customer.send(phoneEnding("1111"))).body;
    expect((await customer.call("POST", `/conversations/${id}/read`)).status).toBe(200);
    expect((await customer.call("POST", `/conversations/${id}/read`, {})).status).toBe(200);
    const unknown = await customer.call("POST", `/conversations/${id}/read`, { all: true });
    expect(faultsOf(unknown)).toEqual([400, "validation_failed", { all: "unknown_field" }]);
    const wrong = await customer.call("POST", `/conversations/${id}/read`, [1]);
    expect(wrong.body.error.code).toBe("invalid_json");
  });
});

describe("Fields", () => {
  it("One response reports all missing, unknown and wrongly typed fields", async () => {
    const customer = await new World().customer();
    const answer = await customer.call(
      "POST",
      "/messages?limit=5&dry",
      { text: 7, To: "+14155550100", tags: [] },
      {
        headers: { "Idempotency-Key": "käse" },
      },
    );
    expect(faultsOf(answer)).toEqual([
      400,
      "validation_failed",
      {
        to: "required",
        text: "invalid_type",
        To: "unknown_field",
        tags: "unknown_field",
        "query.limit": "unknown_field",
        "query.dry": "unknown_field",
        "header.idempotency-key": "invalid_format",
      },
    ]);
    for (const { message } of answer.body.error.details) expect(message).toMatch(/^\w.{5,}/);
    expect(answer.body.error.message).toMatch(/^`idempotency-key` must be \d/);
  });

  it("A field with the name of an inherited property, such as `toString`, is rejected as unknown", async () => {
    const customer = await new World().customer();
    const answer = await post(
      customer,
      '{"to":"+14155550100","text":"a","__proto__":{"to":1},"constructor":1,"toString":1}',
    );
    expect(faultsOf(answer)[2]).toEqual({
      ["__proto__"]: "unknown_field",
      constructor: "unknown_field",
      toString: "unknown_field",
    });
    const query = await customer.call("GET", "/conversations?__proto__=1&constructor=2");
    expect(faultsOf(query)[2]).toEqual({ "query.__proto__": "unknown_field", "query.constructor": "unknown_field" });
  });

  it("Names and values with NUL or lone surrogates are rejected at any depth", async () => {
    const world = new World();
    const customer = await world.customer();
    for (const text of ["a\\u0000b", "\\ud83d", "\\udc00x"]) {
      const answer = await post(customer, `{"to":"+14155550100","text":"${text}"}`);
      expect(faultsOf(answer)).toEqual([400, "validation_failed", { text: "invalid_characters" }]);
    }
    expect((await post(customer, `{"to":"${phoneEnding("1111")}","text":"\\ud83d\\ude00"}`)).status).toBe(202);
    const nested = await customer.manage("POST", "/connections", {
      name: "A",
      channel: "unofficial",
      provider: "waha",
      config: { base_url: "https://waha.test", session: "a", api_key: "secret\0key" },
    });
    expect(faultsOf(nested)).toEqual([400, "validation_failed", { "config.api_key": "invalid_characters" }]);
    const { results } = (await customer.call("POST", "/contacts/batch", { contacts: [{ "a\0b": 1 }] })).body;
    expect(results[0].error.details[0]).toMatchObject({ path: "contacts.0", code: "invalid_characters" });
    expect(faultsOf(await customer.call("GET", "/conversations?cursor=%00"))[2]["query.cursor"]).toBeDefined();
    expect((await customer.call("GET", "/messages/msg_%00")).status).toBe(404);
  });

  it("A deeply nested body is rejected, and a list of 100,000 errors is cut to 64 KB", { tags: "long" }, async () => {
    const customer = await new World().customer();
    const deep = `{"to":"+14155550100","text":${'{"a":'.repeat(5000)}1${"}".repeat(5000)}}`;
    expect((await post(customer, deep)).status).toBe(400);
    const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, index) => [`${index.toString(36)}_`, 1]));
    const answer = await customer.call("POST", "/messages", many);
    expect(answer.body.error.code).toBe("validation_failed");
    expect(answer.body.error.details.length).toBeGreaterThan(100);
    expect(JSON.stringify(answer.body).length).toBeLessThan(65_536);
    expect(answer.body.error.message.length).toBeLessThan(200);
  });

  it("The length limit of a name counts code points, after spaces at both ends are removed", async () => {
    const world = new World();
    const named = (name: string) => world.manage("POST", "/workspaces", { name });
    expect((await named(` ${"😀".repeat(120)} `)).body.workspace.name).toBe("😀".repeat(120));
    expect(faultsOf(await named("😀".repeat(121)))).toEqual([400, "validation_failed", { name: "too_big" }]);
    expect(faultsOf(await named("   "))).toEqual([400, "validation_failed", { name: "too_small" }]);
  });
});

describe("Query parameters", () => {
  it("An empty, repeated or unknown query parameter is rejected", async () => {
    const customer = await new World().customer();
    const asked = async (query: string) => faultsOf(await customer.call("GET", `/conversations?${query}`))[2];
    expect(await asked("statu=open")).toEqual({ "query.statu": "unknown_field" });
    expect(await asked("status=")).toHaveProperty("query.status");
    expect(await asked("status")).toHaveProperty("query.status");
    expect(await asked("status=OPEN")).toHaveProperty("query.status");
    expect(await asked("unread=yes")).toHaveProperty("query.unread");
    expect(await asked("status=open&status=open")).toEqual({ "query.status": "repeated" });
    expect(await asked("status=done&unread=&limit=0&cursor=x&tag=a")).toEqual({
      "query.unread": "invalid_value",
      "query.limit": "too_small",
      "query.cursor": "invalid_value",
      "query.tag": "unknown_field",
    });
    expect((await customer.call("GET", "/conversations?status=%6Fpen&unread=false")).status).toBe(200);
  });

  it("A list accepts a limit from 1 to 100 and only its own cursors", async () => {
    const customer = await new World().customer();
    for (const limit of ["0", "101", "abc", "-1", "1.5", "1e1", "", "%20", "9999999999"]) {
      const answer = await customer.call("GET", `/conversations?limit=${limit}`);
      expect(Object.keys(faultsOf(answer)[2]), limit).toEqual(["query.limit"]);
    }
    for (const limit of ["1", "100"])
      expect((await customer.call("GET", `/conversations?limit=${limit}`)).status).toBe(200);
    for (const cursor of [
      "",
      "x",
      "bnVsbA",
      "W10",
      "%F0%9F%98%80",
      btoa('["a","b","c"]'),
      btoa("{}"),
      "A".repeat(501),
    ]) {
      const answer = await customer.call("GET", `/conversations?cursor=${encodeURIComponent(cursor)}`);
      expect(Object.keys(faultsOf(answer)[2]), cursor).toEqual(["query.cursor"]);
    }
  });
});

describe("Idempotency-Key", () => {
  it("An Idempotency-Key has 1 to 255 printable ASCII characters, and is rejected under /manage", async () => {
    const customer = await new World().customer();
    const send = (key: string) => customer.send(phoneEnding("1111"), "Hello", { headers: { "Idempotency-Key": key } });
    for (const key of ["x".repeat(256), "a\tb", "ä"]) {
      expect(faultsOf(await send(key))).toEqual([
        400,
        "validation_failed",
        { "header.idempotency-key": "invalid_format" },
      ]);
    }
    expect((await send("x".repeat(255))).status).toBe(202);
    const managed = await customer.manage("PATCH", "", { name: "B" }, { headers: { "Idempotency-Key": "a" } });
    expect(faultsOf(managed)).toEqual([400, "validation_failed", { "header.idempotency-key": "unknown_field" }]);
    expect((await customer.manage("GET", "")).body.workspace.name).toBe("Acme");
  });
});

it("The message of a 400 response describes the first error in a sentence", async () => {
  const customer = await new World().customer();
  const messageOf = async (body: object) => (await customer.call("POST", "/messages", body)).body.error.message;
  expect(await messageOf({ to: "+14155550142", text: "Hi", tags: [] })).toBe("`tags` is unknown. Check its spelling.");
  expect(await messageOf({ to: "+14155550142", text: 5 })).toBe("`text` must be a string.");
  expect(await messageOf({ text: "Hi" })).toBe("`to` is required, unless contact_id or user_id is sent.");
  expect(await messageOf({ to: "+14155550142" })).toMatch(
    /^`text` is required, unless image, .* or reaction is sent\.$/,
  );
  expect(await messageOf({ to: "+14155550142", text: "Hi", location: { latitude: 0, longitude: 0 } })).toBe(
    "`location` cannot be combined with text.",
  );
});
