import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { stopClock } from "../support/clock.ts";
import { limitersAfter, platformError } from "../support/bindings.ts";
import { costOf, faultyWorld } from "../support/storage.ts";
import { type Answer, phoneEnding, World } from "../support/world.ts";

beforeEach(() => {
  stopClock();
  vi.restoreAllMocks();
});

const refusalOf = ({ status, body }: Answer) => ({ status, ...body.error });
const quotaHeaders = [
  "RateLimit-Policy",
  "RateLimit",
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
];
const shown = ({ headers }: Answer) => quotaHeaders.filter((name) => headers.has(name));

describe("Open paths", () => {
  it("GET / describes the service, with links to health, OpenAPI document and reference", async () => {
    const world = new World();
    const about = await world.request("GET", "/");
    expect(about).toMatchObject({ status: 200, body: { success: true, docs: "/docs", openapi: "/openapi.json" } });
    expect(await world.request("GET", about.body.health)).toMatchObject({
      status: 200,
      body: { success: true, sending: "on" },
    });
    expect((await world.request("GET", about.body.openapi)).status).toBe(200);
    expect((await world.request("GET", about.body.docs)).headers.get("Content-Type")).toMatch(/text\/html/);
  });

  it("For browsers, GET / returns a page with links, and for software it returns JSON", async () => {
    const world = new World();
    const as = (accept: string) => world.request("GET", "/", undefined, { headers: { Accept: accept } });
    const page = await as("text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8");
    expect(page.headers.get("Content-Type")).toMatch(/^text\/html/);
    expect(page.headers.get("Vary")).toContain("Accept");
    const links = [...String(page.body).matchAll(/href="([^"]+)"/g)].map(([, path]) => path ?? "");
    expect(links).toEqual(["/docs", "/console", "/openapi.json"]);
    for (const path of links) expect((await world.request("GET", path)).status, path).toBeLessThan(400);
    for (const accept of ["*/*", "application/json", "application/json, text/html;q=0.5"])
      expect((await as(accept)).body, accept).toMatchObject({ success: true, name: "Tidings" });
  });

  it("GET /openapi.json returns 304 to a caller that has the current document", async () => {
    const world = new World();
    const { headers } = await world.request("GET", "/openapi.json");
    const etag = headers.get("ETag") ?? "";
    expect(etag).toMatch(/^"[0-9a-f]{64}"$/);
    for (const kept of [etag, `W/${etag}`]) {
      const again = await world.request("GET", "/openapi.json", undefined, { headers: { "If-None-Match": kept } });
      expect(again).toMatchObject({ status: 304, body: "" });
    }
    const other = await world.request("GET", "/openapi.json", undefined, { headers: { "If-None-Match": '"other"' } });
    expect(other.status).toBe(200);
  });

  it("A wrong method returns 405 with Allow, and an unknown path returns 404 without Allow", async () => {
    const world = new World();
    for (const path of ["/", "/health", "/openapi.json", "/docs", "/favicon.ico"]) {
      const answer = await world.request("POST", path, {});
      expect(refusalOf(answer)).toMatchObject({ status: 405, code: "method_not_allowed", details: null });
      expect(answer.headers.get("Allow")).toBe("GET, HEAD, OPTIONS");
    }
    expect(refusalOf(await world.request("GET", "/nothing"))).toMatchObject({ status: 404, code: "not_found" });
    expect(refusalOf(await world.request("GET", "/api/v2/messages"))).toMatchObject({ status: 404, code: "not_found" });
  });
});

describe("Order of checks", () => {
  const wrong = { raw: "{", headers: { "Content-Type": "text/plain" } };

  it("The API key is checked before everything else in a request", async () => {
    const world = new World();
    for (const [method, path] of [
      ["GET", "/api/v1"],
      ["GET", "/api/v1/nothing"],
      ["DELETE", "/api/v1/messages"],
      ["OPTIONS", "/api/v1/messages"],
      ["GET", "/manage/v1/nothing"],
    ] as const) {
      expect((await world.request(method, path)).status, `${method} ${path}`).toBe(401);
    }
    expect((await world.request("POST", "/api/v1/messages", undefined, wrong)).status).toBe(401);
  });

  it("The plan is checked before the rate limit, and the rate limit before the write permission", async () => {
    const customer = await new World().customer({
      plan: "growth",
      key: { read_only: true, rate_limit: { requests: 1, window_seconds: 60 } },
    });
    expect((await customer.call("POST", "/nothing", undefined, wrong)).status).toBe(403);
    expect((await customer.call("POST", "/nothing", undefined, wrong)).status).toBe(429);
    await customer.world.manage("PATCH", `/workspaces/${customer.workspaceId}`, { plan: "free" });
    expect((await customer.call("POST", "/nothing", undefined, wrong)).status).toBe(402);
  });

  it("The path, method, body, fields, ids and state of a request are checked in this order", async () => {
    const customer = await new World().customer({ channel: "official" });
    expect((await customer.call("POST", "/nothing", undefined, wrong)).status).toBe(404);
    const other = await customer.call("DELETE", "/messages", undefined, wrong);
    expect(refusalOf(other)).toMatchObject({ status: 405, code: "method_not_allowed" });
    expect(other.headers.get("Allow")).toBe("POST, GET, HEAD, OPTIONS");
    expect((await customer.call("PATCH", "/conversations/cnv_unknown", undefined, wrong)).status).toBe(415);
    expect((await customer.call("PATCH", "/conversations/cnv_unknown", {})).status).toBe(400);
    expect((await customer.call("PATCH", "/conversations/cnv_unknown", { status: "done" })).status).toBe(404);
    expect((await customer.send(phoneEnding("1111"))).body.error.code).toBe("window_closed");
  });

  it("The rate limit also counts rejected requests, unless the plan or the limit itself is the reason for the rejection", async () => {
    const customer = await new World().customer({ key: { rate_limit: { requests: 3, window_seconds: 60 } } });
    expect((await customer.call("GET", "/nothing")).headers.get("X-RateLimit-Remaining")).toBe("2");
    expect((await customer.call("PUT", "/messages")).headers.get("X-RateLimit-Remaining")).toBe("1");
    expect((await customer.call("POST", "/messages", {})).headers.get("X-RateLimit-Remaining")).toBe("0");
    for (let times = 0; times < 5; times++) expect((await customer.call("GET", "/conversations")).status).toBe(429);
    customer.world.advance(60_000);
    expect((await customer.call("GET", "/conversations")).headers.get("X-RateLimit-Remaining")).toBe("2");
  });
});

describe("Headers", () => {
  it("Every response has a request id: the id that the caller sent, if it is valid", async () => {
    const world = new World();
    const given = { headers: { "X-Request-Id": "order-4711_a=" } };
    const kept = await world.request("GET", "/api/v1/conversations", undefined, given);
    expect(kept.headers.get("X-Request-Id")).toBe("order-4711_a=");
    expect(kept.body.request_id).toBe("order-4711_a=");
    for (const id of ["two words", "x".repeat(300), "<b>", ""]) {
      const made = await world.request("GET", "/nothing", undefined, { headers: { "X-Request-Id": id } });
      expect(made.headers.get("X-Request-Id")).toMatch(/^[\w-]{20,}$/);
      expect(made.headers.get("X-Request-Id")).toBe(made.body.request_id);
    }
    expect((await world.request("GET", "/docs")).headers.has("X-Request-Id")).toBe(true);
  });

  it("Authenticated responses of the public API have rate limit headers, and responses under /manage have none", async () => {
    const customer = await new World().customer();
    const answers = [
      await customer.call("GET", "/conversations"),
      await customer.call("GET", "/nothing"),
      await customer.call("DELETE", "/conversations"),
      await customer.call("OPTIONS", "/conversations"),
      await customer.call("HEAD", "/conversations"),
      await customer.call("GET", "/conversations?limit=0"),
      await customer.call("GET", "/messages/msg_unknown"),
    ];
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 405, 204, 200, 400, 404]);
    for (const answer of answers) expect(shown(answer)).toEqual(quotaHeaders);
    expect(answers[0]?.headers.get("RateLimit-Policy")).toBe('"default";q=600;w=60');
    expect(answers[0]?.headers.get("RateLimit")).toBe('"default";r=599;t=60');
    expect(answers[0]?.headers.get("X-RateLimit-Reset")).toBe("60");
    expect(shown(await customer.manage("GET", ""))).toEqual([]);
    expect(shown(await customer.world.request("GET", "/api/v1/conversations"))).toEqual([]);
  });

  it("HEAD returns the headers of GET, and OPTIONS returns the allowed methods", async () => {
    const customer = await new World().customer();
    const get = await customer.call("GET", "/conversations");
    const head = await customer.call("HEAD", "/conversations");
    expect(head).toMatchObject({ status: 200, body: "" });
    expect(head.headers.get("Content-Type")).toBe(get.headers.get("Content-Type"));
    const options = await customer.call("OPTIONS", "/contacts/ct_any");
    expect(options).toMatchObject({ status: 204, body: "" });
    expect(options.headers.get("Allow")).toBe("GET, PATCH, PUT, DELETE, HEAD, OPTIONS");
    expect((await customer.call("HEAD", "/campaigns/preview")).status).toBe(405);
  });

  it("Server-Timing contains the cost of a request only if EXPOSE_COST is on", async () => {
    const world = new World();
    const customer = await world.customer();
    await customer.call("GET", "/conversations");
    const answer = await customer.call("GET", "/conversations");
    expect(answer.headers.get("Server-Timing")).toMatch(
      /^d1;desc="trips=1 statements=1 rows_read=\d+ rows_written=0", kv;desc="reads=0 writes=0", do;desc="calls=1", queue;desc="sends=0"$/,
    );
    expect(costOf(await world.request("GET", "/health"), "d1")["trips"]).toBe(0);
    const quiet = new World({ EXPOSE_COST: "false" });
    expect((await quiet.request("GET", "/api/v1/conversations")).headers.has("Server-Timing")).toBe(false);
  });

  it("The header Tidings-Chosen-Ids has an effect only with the operator's token and ALLOW_CHOSEN_IDS", async () => {
    const create = async (world: World, name: string, token: string) => {
      const { key } = await world.customer();
      const headers = { "Tidings-Chosen-Ids": `${token} tag_${name}` };
      return (await world.request("POST", "/api/v1/tags", { name }, { token: key, headers })).body.tag.id;
    };
    const allowing = new World({ ALLOW_CHOSEN_IDS: "true" });
    const ownId = /^tag_[0-9a-hjkmnp-tv-z]{26}$/;
    expect(await create(allowing, "chosen", env.ADMIN_TOKEN)).toBe("tag_chosen");
    expect(await create(allowing, "guessed", "another-token")).toMatch(ownId);
    expect(await create(new World(), "other", env.ADMIN_TOKEN)).toMatch(ownId);
  });

  it("Every response forbids type sniffing and framing", async () => {
    const { headers } = await new World().request("GET", "/health");
    expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
    expect(headers.get("X-Frame-Options")).toBe("SAMEORIGIN");
  });

  it("Responses have no headers for obsolete browsers", async () => {
    const { headers } = await new World().request("GET", "/health");
    const past = ["X-Download-Options", "X-Permitted-Cross-Domain-Policies", "X-XSS-Protection"];
    expect(past.filter((name) => headers.has(name))).toEqual([]);
  });
});

describe("Internal failures", () => {
  it("An unexpected error returns a fixed text without the cause", async () => {
    const log = vi.spyOn(console, "error").mockReturnValue();
    const { world, faults } = faultyWorld();
    const customer = await world.customer();
    faults.next(/FROM conversations/, "before", "D1_ERROR: no such column: secret_column");
    const answer = await customer.call("GET", "/conversations");
    expect(refusalOf(answer)).toMatchObject({ status: 500, code: "internal_error", details: null });
    expect(JSON.stringify(answer.body)).not.toMatch(/secret|column|SQL|D1/);
    expect(shown(answer)).toEqual(quotaHeaders);
    const logged = String(log.mock.calls.at(-1)?.[0]);
    expect(logged).toContain(answer.body.request_id);
    expect(logged).toContain("secret_column");
  });

  it("Overloaded storage returns 503 with Retry-After", async () => {
    vi.spyOn(console, "error").mockReturnValue();
    const { world, faults } = faultyWorld();
    const customer = await world.customer();
    faults.next(/FROM conversations/, "before", "D1_ERROR: D1 DB is overloaded. Too many requests queued.");
    const answer = await customer.call("GET", "/conversations");
    expect(refusalOf(answer)).toMatchObject({ status: 503, code: "unavailable", details: null });
    expect(Number(answer.headers.get("Retry-After"))).toBeGreaterThanOrEqual(1);
  });

  it("A request returns 503 if the rate limiter cannot count it", async () => {
    vi.spyOn(console, "error").mockReturnValue();
    const { key } = await new World().customer();
    const broken = limitersAfter(() => {
      throw platformError("Durable Object reset", {});
    });
    const world = new World({ KEY_LIMITER: broken, CACHE: env.CACHE });
    const answer = await world.request("GET", "/api/v1/conversations", undefined, { token: key });
    expect(refusalOf(answer)).toMatchObject({ status: 503, code: "unavailable" });
  });
});
