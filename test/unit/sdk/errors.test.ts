import { inspect } from "node:util";
import { describe, expect, expectTypeOf, it } from "vitest";
import { Tidings, TidingsError } from "../../../sdk/src/index.ts";
import { createError } from "../../../sdk/src/errors.ts";
import { failureOf, refusal, startApi } from "./api.ts";
import { soon } from "../../support/soon.ts";

const once = { maxRetries: 0 };

describe("Errors of the client", () => {
  it("A client error has the code, details, status and request id of the response", async () => {
    const fault = { path: "to", code: "invalid_phone", message: "Say who it is for." };
    const { tidings } = await startApi([refusal(400, "validation_failed", {}, [fault])]);
    const error = await failureOf(tidings.messages.send({ to: "+1", text: "Hi" }));
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({
      name: "TidingsError",
      message: "It is validation_failed.",
      code: "validation_failed",
      details: [fault],
      status: 400,
      requestId: "req_1",
      retryAfter: null,
    });
  });

  it("The code of a client error determines the type of its details", () => {
    const read = (error: unknown) => {
      if (!(error instanceof TidingsError)) return null;
      if (error.code === "missing_variable") expectTypeOf(error.details.variables).toEqualTypeOf<string[]>();
      if (error.code === "timeout") expectTypeOf(error.details).toEqualTypeOf<null>();
      // @ts-expect-error No error has that code.
      return error.code === "no_such_code";
    };
    expect(read(new Error("Another"))).toBeNull();
  });

  it("A client error keeps a code that the client does not know", async () => {
    const { tidings } = await startApi([refusal(409, "a_later_code", {}, { hint: 1 })]);
    expect(await failureOf(tidings.me.get())).toMatchObject({ code: "a_later_code", details: { hint: 1 } });
  });

  it("A client error prints as TidingsError", () => {
    expect(inspect(createError("timeout", "No answer.", null))).toMatch(/^TidingsError: No answer\./);
  });

  it("A client error reads Retry-After as seconds or as a date", async () => {
    const inTwoMinutes = new Date(Date.now() + 120_000).toUTCString();
    const wrong = ["soon", "-5", "1.5", "1, 1"];
    const { tidings } = await startApi(
      ["7", inTwoMinutes, ...wrong].map((after) => refusal(429, "rate_limited", { "Retry-After": after })),
      once,
    );
    expect(await failureOf(tidings.me.get())).toMatchObject({ retryAfter: 7 });
    const { retryAfter } = await failureOf(tidings.me.get());
    expect(retryAfter).toBeGreaterThan(110);
    for (const after of wrong)
      expect(await failureOf(tidings.me.get()), after).toMatchObject({ code: "rate_limited", retryAfter: null });
  });
});

describe("Responses that are not from Tidings", () => {
  it.each([
    ["a proxy's page", 502, "text/html", "<h1>Bad Gateway</h1>"],
    ["another service's JSON", 404, "application/json", '{"message":"no route"}'],
    ["a page where the address is wrong", 200, "text/html", "<!doctype html>"],
    ["JSON that ends too early", 200, "application/json", '{"success":true,"conta'],
    ["a success that says it is none", 200, "application/json", '{"success":false}'],
    ["null", 200, "application/json", "null"],
  ])("The client throws an error for a response that is not from Tidings: %s", async (_, status, type, body) => {
    const { tidings } = await startApi(
      [(response) => response.writeHead(status, { "Content-Type": type }).end(body)],
      once,
    );
    const error = await failureOf(tidings.contacts.get("ct_1"));
    expect(error).toMatchObject({ code: "invalid_response", status, details: null });
    expect(error.message).toContain(`status ${status}, ${type}`);
  });

  it("The client does not follow a redirect, so that no other host receives the key", async () => {
    const { requests, tidings } = await startApi([{ status: 307, headers: { Location: "/stolen" }, json: {} }], once);
    expect(await failureOf(tidings.me.get())).toMatchObject({ code: "invalid_response", status: 307 });
    expect(requests.map(({ url }) => url)).toEqual(["/api/v1/me"]);
  });
});

describe("Calls without a response", () => {
  const silence = () => {};

  it("The client's error for a failed connection contains the address", async () => {
    const tidings = new Tidings({ apiKey: "tdg_secret", baseUrl: "http://127.0.0.1:1", ...once });
    const error = await failureOf(tidings.me.get());
    expect(error).toMatchObject({ code: "network_error", status: null, message: "Couldn't reach http://127.0.0.1:1." });
    expect(error.cause).toBeInstanceOf(Error);
  });

  it("A client call ends at its own timeout, or by default at the client's timeout", async () => {
    const { tidings } = await startApi([silence], { ...once, timeout: 30 });
    expect(await failureOf(tidings.me.get())).toMatchObject({ code: "timeout", message: "No response within 0.03 s." });
    const own = await failureOf(tidings.me.get({ timeout: 20 }));
    expect(own.message).toBe("No response within 0.02 s.");
  });

  it("The timeout of a client call includes the time to receive the response body", async () => {
    const { tidings } = await startApi([(response) => void response.writeHead(200).write("{")], {
      ...once,
      timeout: 50,
    });
    expect(await failureOf(tidings.me.get())).toMatchObject({ code: "timeout" });
  });

  it("A client call accepts Infinity as its timeout", async () => {
    const answer = { json: { success: true, workspace: { id: "ws_1" } } };
    const { tidings } = await startApi([answer], { timeout: Infinity });
    expect((await tidings.me.get()).workspace.id).toBe("ws_1");
  });
});

describe("Aborted calls", () => {
  const reason = new Error("The page was left.");

  it("An aborted client call throws the signal's reason, before and during the request", async () => {
    const { requests, tidings } = await startApi([() => {}]);
    await expect(tidings.me.get({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
    expect(requests).toHaveLength(0);

    const controller = new AbortController();
    const [end] = await Promise.allSettled([
      tidings.me.get({ signal: controller.signal }),
      soon(() => expect(requests).toHaveLength(1)).then(() => controller.abort(reason)),
    ]);
    expect(end).toEqual({ status: "rejected", reason });
  });

  it("A client call that is aborted between two attempts throws the signal's reason", async () => {
    const controller = new AbortController();
    const fetch = () => {
      setImmediate(() => controller.abort(reason));
      const { status, headers, json } = refusal(503, "unavailable", { "Retry-After": "30" });
      return Promise.resolve(Response.json(json, { status, headers }));
    };
    const tidings = new Tidings({ apiKey: "tdg_secret", baseUrl: "http://127.0.0.1:1", fetch });
    await expect(tidings.me.get({ signal: controller.signal })).rejects.toBe(reason);
  });
});
