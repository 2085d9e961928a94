import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { type Customer, World } from "../support/world.ts";

let logged: string[];

beforeEach(() => {
  logged = [];
  vi.spyOn(console, "error").mockImplementation((...said: unknown[]) => void logged.push(said.map(String).join(" ")));
});

afterEach(() => vi.restoreAllMocks());

/** The runtime throws these errors for a lost connection and for an invalid chunk. */
const connectionLost = () => Object.assign(new Error("Network connection lost."), { retryable: true });
const badChunk = () => new Error("internal error; reference = m5ioso7qjffqnqogen886and");

/** A body that fails after its first bytes. */
const cutOff = (start: string, error: Error = connectionLost()) =>
  new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode(start)),
    pull: (controller) => controller.error(error),
  });

/** Only chunked bodies are counted while they are read. */
const LENGTHS: [string, Record<string, string>][] = [
  ["announced", { "Content-Length": "500" }],
  ["chunked", {}],
];

const requestLog = async (customer: Customer) => (await customer.manage("GET", "/requests")).body.requests;

it.each(LENGTHS)("An incomplete JSON body returns 400 and is not logged as an error: %s", async (_, headers) => {
  const customer = await new World().customer();
  for (const error of [connectionLost(), badChunk()]) {
    const answer = await customer.call("POST", "/messages", undefined, { raw: cutOff('{"to":"+49', error), headers });
    expect(answer).toMatchObject({ status: 400, body: { error: { code: "invalid_json", details: null } } });
  }
  expect(await requestLog(customer)).toMatchObject([
    { status: 400, error_code: "invalid_json" },
    { status: 400, error_code: "invalid_json" },
  ]);
  expect(logged).toEqual([]);
});

it.each(LENGTHS)("An incomplete webhook request from a provider returns 400: %s", async (_, headers) => {
  const customer = await new World().customer();
  const hook = `/hooks/${customer.connectionId}`;
  const answer = await customer.world.request("POST", hook, undefined, { raw: cutOff('{"entry":['), headers });
  expect(answer).toMatchObject({ status: 400, body: { error: { code: "invalid_json" } } });
  expect(logged).toEqual([]);
});

it.each(LENGTHS)("An incomplete tool call returns 400: %s", async (_, headers) => {
  const customer = await new World().customer();
  const asked = { token: customer.key, raw: cutOff('{"jsonrpc":'), headers };
  expect((await customer.world.request("POST", "/mcp", undefined, asked)).status).toBe(400);
  expect(logged).toEqual([]);
});

it.each(LENGTHS)("An incomplete console form returns 400: %s", async (_, headers) => {
  const customer = await new World().customer();
  const owner = await customer.member("owner");
  const path = `/console/${customer.workspaceId}/settings/members/invite`;
  const boundary = "multipart/form-data; boundary=b0undary";
  const bodies: [string, string, string][] = [
    [path, "application/x-www-form-urlencoded", "email=ada%40"],
    [path, "application/json", '{"email":'],
    [path, boundary, "--b0undary\r\nContent-Disposition"],
  ];
  for (const [to, type, start] of bodies) {
    const answer = await owner.request("POST", to, cutOff(start), { headers: { ...headers, "Content-Type": type } });
    expect(answer.status, type).toBe(400);
  }
  expect(logged).toEqual([]);
});
