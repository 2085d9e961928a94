import { describe, expect, it } from "vitest";
import { addPeople, campaignOf, numberOf } from "../../../support/campaigns.ts";
import { callTool } from "../../../support/mcp.ts";
import { onShard } from "../../../support/storage.ts";
import { type Answer, Customer, World } from "../../../support/world.ts";

const TEN_MINUTES = 10 * 60_000;

async function previewed(): Promise<{ customer: Customer; request: object; token: string }> {
  const customer = await new World().customer();
  await addPeople(customer, 3);
  const request = await campaignOf(customer, {
    body: "Hello {{name}} {{a}}",
    filter_status: "new",
    variables: { name: "you", a: "b" },
  });
  return { customer, request, token: (await preview(customer, request)).audience_token };
}

const preview = async (customer: Customer, request: object): Promise<Answer["body"]> =>
  (await customer.call("POST", "/campaigns/preview", request)).body;

const start = (customer: Customer, request: object, ask = {}) => customer.call("POST", "/campaigns", request, ask);

/** Returns the code of the response's only fault, which concerns the token. */
async function tokenFault(answer: Promise<Answer>): Promise<string> {
  const { status, body } = await answer;
  expect([status, body.error?.code, body.error?.details.length]).toEqual([400, "validation_failed", 1]);
  expect(body.error.details[0].path).toBe("audience_token");
  return body.error.details[0].code;
}

describe("Preview tokens", () => {
  it("A preview token starts the previewed campaign in three round trips, with the fields in any order", async () => {
    const { customer, request, token } = await previewed();
    const turned = Object.fromEntries(Object.entries(request).toReversed());
    const { status, body, headers } = await start(customer, {
      audience_token: token,
      ...turned,
      variables: { a: "b", name: "you" },
    });
    expect([status, body.recipient_count]).toEqual([201, 3]);
    expect(headers.get("Server-Timing")).toMatch(/d1;desc="trips=[123] /);
  });

  it("A campaign start over HTTP needs no preview token", async () => {
    const { customer, request } = await previewed();
    expect((await start(customer, request)).status).toBe(201);
  });

  it.each([
    ["another filter", { filter_status: "hot" }],
    ["no filter", { filter_status: undefined }],
    ["other values", { variables: { name: "you", a: "c" } }],
    ["a time", { scheduled_at: "2027-01-01T00:00:00Z" }],
    ["another name", { name: "Other" }],
  ])("A preview token is rejected if the campaign is then started with %s", async (_, change) => {
    const { customer, request, token } = await previewed();
    expect(await tokenFault(start(customer, { ...request, ...change, audience_token: token }))).toBe("invalid_token");
  });

  it("A preview token is rejected with a different API key, even of the same workspace", async () => {
    const { customer, request, token } = await previewed();
    const other = await customer.manage("POST", "/api-keys", { name: "Other", connection_id: customer.connectionId });
    const started = start(customer, { ...request, audience_token: token }, { token: other.body.key });
    expect(await tokenFault(started)).toBe("invalid_token");
  });

  it("A preview token is rejected if any part of it was changed", async () => {
    const { customer, request, token } = await previewed();
    const [until = "", count = "", sum = ""] = token.split(".");
    const forged = [
      [String(Number(until) + 1), count, sum],
      [until, count.replace("3", "4"), sum],
      [until, count, sum.slice(1)],
      [until, count, ""],
      [until, count, sum, "x"],
      [until, count],
      ["x"],
    ].map((parts) => parts.join("."));
    for (const audience_token of [...forged, "x".repeat(500)])
      expect(await tokenFault(start(customer, { ...request, audience_token }))).toBe("invalid_token");
    for (const audience_token of ["x".repeat(501), 7, null])
      expect((await start(customer, { ...request, audience_token })).body.error.code).toBe("validation_failed");
  });

  it("A preview token is valid for ten minutes", async () => {
    const { customer, request, token } = await previewed();
    customer.world.advance(TEN_MINUTES);
    expect(await tokenFault(start(customer, { ...request, audience_token: token }))).toBe("expired");
    const again = (await preview(customer, request)).audience_token;
    customer.world.advance(TEN_MINUTES - 1);
    expect((await start(customer, { ...request, audience_token: again })).status).toBe(201);
  });

  it.each([
    ["one more can be reached", (customer: Customer) => addPeople(customer, 1, 3), { recipient_count: 4 }],
    [
      "one fewer can be reached",
      (customer: Customer) => customer.call("POST", "/contacts", { phone: numberOf(0), is_unsubscribed: true }),
      { recipient_count: 2, excluded: { unsubscribed: 1 } },
    ],
    [
      "another is left out",
      (customer: Customer) => customer.call("POST", "/contacts", { email: "ada@example.com" }),
      { recipient_count: 3, excluded: { no_phone: 1 } },
    ],
    [
      "nobody can be reached",
      (customer: Customer) =>
        onShard(customer, "UPDATE contacts SET status = 'hot' WHERE workspace_id = ?1", customer.workspaceId),
      { recipient_count: 0 },
    ],
  ])(
    "If %s after the preview, the preview token is rejected with the new count, and nothing is stored",
    async (_, change, details) => {
      const { customer, request, token } = await previewed();
      await change(customer);
      const { status, body } = await start(customer, { ...request, audience_token: token });
      expect([status, body.error.code]).toEqual([409, "conflict"]);
      expect(body.error.details).toMatchObject(details);
      expect(body.error.message).toBe(
        `The audience has changed since the preview, from 3 to ${details.recipient_count} reachable contacts. See \`excluded\`, and preview again.`,
      );
      expect((await customer.call("GET", "/campaigns")).body.campaigns).toEqual([]);
      const again = (await preview(customer, request)).audience_token;
      expect((await start(customer, { ...request, audience_token: again })).status).toBe(
        details.recipient_count > 0 ? 201 : 422,
      );
    },
  );

  it("A preview token is rejected after its template has changed", async () => {
    const { customer, request, token } = await previewed();
    await customer.call("PATCH", `/templates/${Reflect.get(request, "template_id")}`, { body: "Bye {{name}}, {{a}}" });
    expect(await tokenFault(start(customer, { ...request, audience_token: token }))).toBe("invalid_token");
  });

  it("A repeated request returns its first response, even if its preview token is no longer valid", async () => {
    const { customer, request, token } = await previewed();
    const body = { ...request, audience_token: token };
    const once = { headers: { "Idempotency-Key": "start" } };
    const first = await start(customer, body, once);
    customer.world.advance(TEN_MINUTES);
    await addPeople(customer, 1, 3);
    expect((await start(customer, body, once)).body).toEqual(first.body);
  });

  it("A tool can start a campaign only with a preview token, and starts one campaign despite repeats", async () => {
    const { customer, request } = await previewed();
    const { isError, answer } = await callTool(customer, "campaigns_start", request);
    expect([isError, answer.error.details[0]]).toMatchObject([true, { path: "audience_token", code: "required" }]);
    const { audience_token } = (await callTool(customer, "campaigns_preview", request)).answer;
    const starts = await Promise.all(
      Array.from({ length: 3 }, () => callTool(customer, "campaigns_start", { ...request, audience_token })),
    );
    const [started] = starts;
    expect(started.answer).toMatchObject({ recipient_count: 3, status: "running" });
    expect(new Set(starts.map((each) => each.answer.campaign_id)).size).toBe(1);
    expect((await customer.call("GET", "/campaigns")).body.campaigns).toHaveLength(1);
    const forged = await callTool(customer, "campaigns_start", { ...request, audience_token: "x.y.z" });
    expect(forged.answer.error.details[0].code).toBe("invalid_token");
  });
});
