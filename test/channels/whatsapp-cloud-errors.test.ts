import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { whatsappCloud } from "../../src/channels/whatsapp-cloud/whatsapp-cloud.ts";
import { CloudStandIn } from "../support/providers/cloud.ts";
import { graphError } from "../support/providers/graph-error.ts";
import { connectionOf, directIo, linkedCustomer, playProvider, UPSTREAM } from "../support/providers/linked.ts";
import { onShard } from "../support/storage.ts";

let cloud: CloudStandIn;

beforeEach(() => {
  cloud = new CloudStandIn();
  playProvider(cloud);
});

afterEach(() => {
  vi.restoreAllMocks();
});

const send = () =>
  whatsappCloud.send(
    { id: "conn_1", config: cloud.config(UPSTREAM) },
    { id: "msg_1", to: "+14155550100", body: "Hi", attempt: 1 },
    directIo(),
  );

const answerOnce = (answer: Response) => vi.mocked(globalThis.fetch).mockResolvedValueOnce(answer);

const testConnection = () =>
  whatsappCloud.test({ id: "conn_1", config: cloud.config(UPSTREAM) }, directIo()).then(
    () => null,
    (error: unknown) => error,
  );

describe("Settings tests", () => {
  it.each([401, 403])(
    "A Cloud API connection gets the status `error` if its test returns only the HTTP status %i",
    async (status) => {
      answerOnce(new Response("", { status }));
      expect(await testConnection()).toMatchObject({
        detail: `The provider returned ${status}.`,
        providerCode: String(status),
        notice: { status: "error", detail: `The provider returned ${status}.` },
      });
    },
  );

  it("A test of Cloud API settings returns the status and the provider's text if the error has no code", async () => {
    answerOnce(Response.json({ error: { message: "Not this time" } }, { status: 400 }));
    expect(await testConnection()).toMatchObject({ detail: "Not this time", providerCode: "400", notice: null });
    answerOnce(Response.json({ error: { message: "Log in again" } }, { status: 401 }));
    expect(await testConnection()).toMatchObject({
      detail: "Log in again",
      providerCode: "401",
      notice: { status: "error", detail: "Log in again" },
    });
  });
});

describe("Connection tests", () => {
  it("A Cloud API connection gets the status `error` if its test returns only a 401, and the test is not repeated", async () => {
    const customer = await linkedCustomer(cloud);
    answerOnce(new Response("", { status: 401 }));
    const answer = await customer.manage("POST", `/connections/${customer.connectionId}/test`);
    expect(answer).toMatchObject({ status: 502, body: { error: { details: { provider_code: "401" } } } });
    expect(await connectionOf(customer)).toMatchObject({
      status: "error",
      status_detail: "The provider returned 401.",
    });
    const [row] = await onShard(customer, "SELECT retest_at FROM connections WHERE id = ?", customer.connectionId);
    expect(row).toEqual({ retest_at: null });
  });
});

describe("Sends", () => {
  it.each([
    [130429, 400, { kind: "retry", scope: "connection", error: { code: "rate_limited" } }],
    [131056, 400, { kind: "retry", scope: "recipient", afterMs: 6000, error: { code: "rate_limited" } }],
    [80007, 400, { kind: "retry", scope: "connection", error: { code: "rate_limited" } }],
    [613, 400, { kind: "retry", scope: "connection", error: { code: "rate_limited" } }],
    [2, 503, { kind: "retry", error: { code: "provider_unreachable" } }],
    [131057, 500, { kind: "retry", scope: "connection" }],
    [131000, 500, { kind: "lost", error: { code: "provider_unreachable" } }],
    [131000, 400, { kind: "lost", error: { code: "provider_unreachable" } }],
    [131016, 503, { kind: "lost", error: { code: "provider_unreachable" } }],
    [131026, 400, { kind: "refused", error: { code: "undeliverable" } }],
    [131047, 400, { kind: "refused", error: { code: "window_closed" } }],
    [131051, 400, { kind: "refused", error: { code: "unsupported_message" } }],
    [131062, 400, { kind: "refused", error: { code: "unsupported_message" } }],
    [131052, 400, { kind: "refused", error: { code: "media_invalid" } }],
    [131053, 400, { kind: "refused", error: { code: "media_invalid" } }],
    [131009, 400, { kind: "refused", error: { code: "provider_rejected" } }],
    [132012, 400, { kind: "refused", error: { code: "template_rejected" } }],
    [131037, 400, { kind: "refused", notice: { status: "error" }, error: { code: "account_blocked" } }],
    [33, 400, { kind: "refused", notice: { status: "error" }, error: { code: "account_blocked" } }],
    [134100, 400, { kind: "refused", pauses: "campaign", error: { code: "template_rejected" } }],
    [134101, 400, { kind: "retry", afterMs: 120_000, error: { code: "template_rejected" } }],
    [131048, 400, { kind: "refused", pauses: "campaign", error: { code: "rate_limited" } }],
    [131049, 400, { kind: "refused", error: { code: "frequency_capped" } }],
    [132001, 404, { kind: "refused", error: { code: "template_rejected" } }],
    [132015, 400, { kind: "refused", pauses: "campaign", error: { code: "template_rejected" } }],
    [131031, 403, { kind: "refused", notice: { status: "error" }, error: { code: "account_blocked" } }],
    [368, 403, { kind: "refused", notice: { status: "error" }, error: { code: "account_blocked" } }],
    [104, 400, { kind: "refused", notice: { status: "error" }, error: { code: "account_blocked" } }],
    [999999, 401, { kind: "refused", notice: { status: "error" }, error: { code: "account_blocked" } }],
    [190, 401, { kind: "refused", notice: { status: "error" }, error: { code: "account_blocked" } }],
    [200, 403, { kind: "refused", notice: { status: "error" }, error: { code: "account_blocked" } }],
    [999999, 400, { kind: "refused", error: { code: "provider_rejected" } }],
    [999999, 429, { kind: "retry", scope: "connection", error: { code: "rate_limited" } }],
    [1, 500, { kind: "lost", error: { code: "provider_unreachable" } }],
  ])(
    "A Cloud API send that is rejected with code %i is retried, lost or refused, as the code requires",
    async (code, status, expected) => {
      cloud.next(() => graphError(code, "Its own words", status, "and details"));
      const outcome = await send();
      expect(outcome).toMatchObject({ ...expected, error: { ...("error" in expected && expected.error) } });
      expect(outcome).toMatchObject({
        error: { message: `(#${code}) Its own words – and details`, providerCode: String(code) },
      });
    },
  );

  it.each([
    ["a response that is not JSON", () => new Response("<html>OK</html>")],
    ["a response without a message id", () => Response.json({ messages: [] })],
    ["a request timeout", () => new Response("", { status: 408 })],
  ])("A Cloud API send has the outcome `lost` after %s", async (_, answer) => {
    cloud.next(answer);
    expect(await send()).toMatchObject({ kind: "lost", error: { code: "provider_unreachable" } });
  });

  it.each([500, 501, 502, 503, 504, 520, 521, 522, 523, 524, 525, 526, 530, 599])(
    "If a Cloud API send returns only the status %i without an error code, its outcome is `lost`, whatever its Retry-After",
    async (status) => {
      cloud.next(() => new Response("error", { status, headers: { "Retry-After": "1" } }));
      expect(await send()).toMatchObject({ kind: "lost", error: { code: "provider_unreachable" } });
    },
  );

  it("A Cloud API send is retried after the time in Retry-After", async () => {
    cloud.next(() => new Response("", { status: 429, headers: { "Retry-After": "30" } }));
    expect(await send()).toMatchObject({ kind: "retry", afterMs: 30_000, scope: "connection" });
  });

  it("A Cloud API send does not follow a redirect", async () => {
    cloud.next(cloud.failures.redirect);
    expect(await send()).toMatchObject({
      kind: "refused",
      error: { code: "provider_rejected", providerCode: "302" },
    });
    expect(cloud.requests).toHaveLength(1);
  });
});
