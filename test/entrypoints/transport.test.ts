import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import worker from "../../src/index.ts";
import { World } from "../support/world.ts";

const HSTS = "Strict-Transport-Security";

async function ask(url: string, init: RequestInit = {}): Promise<Response> {
  const ctx = createExecutionContext();
  const response = await worker.fetch(new Request(url, { redirect: "manual", ...init }), new World().env, ctx);
  await waitOnExecutionContext(ctx);
  return response;
}

describe("HTTP without TLS", () => {
  it("A page over http redirects to https with path and query", async () => {
    const response = await ask("http://tidings.example.com:8080/console/sign-in?next=%2Fconsole%2Fx");
    expect([response.status, response.headers.get("Location")]).toEqual([
      301,
      "https://tidings.example.com/console/sign-in?next=%2Fconsole%2Fx",
    ]);
    expect(response.headers.get(HSTS)).toBeNull();
  });

  it("An API call over http is rejected with an explanation and changes nothing", async () => {
    const customer = await new World().customer();
    const response = await ask("http://tidings.example.com/api/v1/messages", {
      method: "POST",
      headers: { Authorization: `Bearer ${customer.key}`, "Content-Type": "application/json" },
      body: JSON.stringify({ to: "+14155550100", text: "Hi" }),
    });
    expect(response.status).toBe(403);
    expect(await response.json()).toEqual({
      success: false,
      error: {
        code: "forbidden",
        message: expect.stringMatching(
          /^Tidings rejects requests over http\. Use https:\/\/tidings\.example\.com\. .* replace it/,
        ),
        details: null,
      },
      request_id: expect.any(String),
    });
    expect(await customer.outbox()).toEqual([]);
  });

  it("Responses set HSTS for a year without subdomains", async () => {
    for (const path of ["/health", "/console/sign-in", "/api/v1/messages", "/nowhere"]) {
      const response = await ask(`https://tidings.example.com${path}`);
      expect(response.headers.get(HSTS), path).toBe("max-age=31536000");
    }
  });
});

it("A local host is served over http without HSTS", async () => {
  const response = await ask("http://localhost:8787/health");
  expect([response.status, response.headers.get(HSTS)]).toEqual([200, null]);
  expect((await ask("https://localhost:8787/health")).headers.get(HSTS)).toBeNull();
});
