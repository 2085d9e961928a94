import { inspect } from "node:util";
import { describe, expect, it, vi } from "vitest";
import { Tidings } from "../../../sdk/src/index.ts";
import { startApi } from "./api.ts";

const accepted = { status: 202, json: { success: true, message_id: "msg_1" } };

describe("Client calls", () => {
  it("A client call sends the method, address, key and body of its operation, and returns the body of the response", async () => {
    const { requests, tidings } = await startApi([accepted]);
    const answer = await tidings.messages.send({ to: "+15550100101", text: "Größe ✓" });
    expect(answer.message_id).toBe("msg_1");
    expect(requests).toMatchObject([
      { method: "POST", url: "/api/v1/messages", body: '{"to":"+15550100101","text":"Größe ✓"}' },
    ]);
    expect(requests[0]?.headers).toMatchObject({
      authorization: "Bearer tdg_secret",
      "content-type": "application/json",
      "idempotency-key": expect.stringMatching(/^[\w-]{36}$/),
    });
  });

  it("A client call sends query parameters, and omits undefined parameters", async () => {
    const { requests, tidings } = await startApi([{ json: { success: true, contacts: [], next_cursor: null } }]);
    await tidings.contacts.list({ search: "Ada & Söhne", archived: false, limit: 5, tag: undefined });
    await tidings.contacts.list();
    expect(requests.map(({ url }) => url)).toEqual([
      "/api/v1/contacts?search=Ada+%26+S%C3%B6hne&archived=false&limit=5",
      "/api/v1/contacts",
    ]);
    expect(requests[0]?.headers["idempotency-key"]).toBeUndefined();
  });

  it("A client call encodes ids in the path, and rejects ids that would change the path", async () => {
    const { requests, tidings } = await startApi([{ json: { success: true } }]);
    await tidings.contacts.get("a/b?c#d");
    expect(requests[0]?.url).toBe("/api/v1/contacts/a%2Fb%3Fc%23d");
    for (const id of ["", ".", ".."]) expect(() => tidings.templates.delete(id)).toThrow(TypeError);
    expect(requests).toHaveLength(1);
  });

  it("A client call sends the idempotency key, additional headers and the operator's token", async () => {
    const { requests, tidings } = await startApi([{ json: { success: true } }]);
    await tidings.tags.create({ name: "VIP" }, { idempotencyKey: "vip-1", headers: { "X-Request-Id": "mine" } });
    await tidings.manage.workspaces.create({ name: "Acme" });
    await tidings.webhooks.retryDelivery("wh_1", "dlv_1");
    const [tag, workspace, delivery] = requests;
    expect(tag?.headers).toMatchObject({ "idempotency-key": "vip-1", "x-request-id": "mine" });
    expect(workspace?.headers).toMatchObject({ authorization: "Bearer operator-secret" });
    expect(workspace?.headers["idempotency-key"]).toBeUndefined();
    expect(delivery).toMatchObject({ url: "/api/v1/webhooks/wh_1/deliveries/dlv_1/retry", body: "" });
  });

  it("A client uses the fetch function from its options, and keeps the path of baseUrl", async () => {
    const urls: string[] = [];
    const fetch = (url: string) => {
      urls.push(url);
      return Promise.resolve(Response.json({ success: true }));
    };
    for (const baseUrl of ["https://example.com/tidings/", "https://example.com/tidings/api/v1/"])
      await new Tidings({ apiKey: "tdg_secret", baseUrl, fetch }).me.get();
    expect(urls).toEqual(Array(2).fill("https://example.com/tidings/api/v1/me"));
  });
});

describe("Clients", () => {
  it("A client reads its key and address from the environment", async () => {
    const { baseUrl, requests } = await startApi([{ json: { success: true } }]);
    vi.stubEnv("TIDINGS_API_KEY", "tdg_environment");
    vi.stubEnv("TIDINGS_BASE_URL", `${baseUrl}/`);
    await new Tidings().me.get();
    vi.unstubAllEnvs();
    expect(requests).toMatchObject([{ url: "/api/v1/me", headers: { authorization: "Bearer tdg_environment" } }]);
  });

  it("A client reports missing options before any request", async () => {
    const baseUrl = "http://127.0.0.1:1";
    await expect(new Tidings({ baseUrl }).me.get()).rejects.toThrow("an apiKey");
    await expect(new Tidings({ baseUrl, apiKey: "tdg_1" }).manage.workspaces.get("ws_1")).rejects.toThrow("adminToken");
    expect(() => new Tidings({ apiKey: "tdg_1" })).toThrow("baseUrl is required");
    for (const wrong of [
      "localhost:8787",
      "ftp://example.com",
      "https://me:secret@example.com",
      "https://a.example?b",
      "https://a.example#b",
    ])
      expect(() => new Tidings({ baseUrl: wrong }), wrong).toThrow("baseUrl must be an address");
    for (const option of ["timeout", "maxRetries"])
      for (const value of [NaN, -1])
        expect(() => new Tidings({ baseUrl, [option]: value }), option).toThrow(`${option} must be a number`);
    const listed: object = { baseUrl, apiKey: ["tdg_1"] };
    expect(() => new Tidings(listed)).toThrow("apiKey is empty");
  });

  it("A client and its errors never contain a secret", async () => {
    const { tidings } = await startApi([{ json: { success: false } }], { maxRetries: 0 });
    const failure = await tidings.me.get().catch((error: unknown) => error);
    for (const value of [tidings, failure]) {
      expect(inspect(value, { depth: 9, showHidden: true }) + JSON.stringify(value)).not.toContain("secret");
    }
    for (const apiKey of ["tdg_secret\n", "", "tdg_secret é"]) {
      expect(() => new Tidings({ apiKey, baseUrl: "http://127.0.0.1:1" })).toThrow(
        /^apiKey is empty or contains invalid characters/,
      );
    }
  });
});
