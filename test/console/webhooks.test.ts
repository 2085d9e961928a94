import { beforeEach, describe, expect, it } from "vitest";
import { textOf } from "../support/page-text.ts";
import { hookUp, type Receiver, startReceiving, tellOf } from "../support/receiver.ts";
import type { Visitor } from "../support/visitor.ts";
import type { Answer, Customer, World } from "../support/world.ts";

let world: World;
let customer: Customer;
let admin: Visitor;
let receiver: Receiver;
let list: string;

beforeEach(async () => {
  ({ world, customer, receiver } = await startReceiving());
  admin = await customer.member("admin");
  list = `/console/${customer.workspaceId}/settings/webhooks`;
});

const submit = (path: string, fields: [string, string][]) =>
  admin.request("POST", path, new URLSearchParams([["csrf_token", admin.token], ...fields]));

const webhooks = async () => (await customer.call("GET", "/webhooks")).body.webhooks;
const secretIn = ({ body }: Answer): string => /id="secret"[^>]*value="([^"]*)"/.exec(body)?.[1] ?? "";
const follow = async ({ headers }: Answer) => admin.get(headers.get("Location") ?? "");
const newId = async () => (await hookUp(customer, receiver)).id;

describe("New webhooks", () => {
  it("A new webhook shows its secret once, in sample code that verifies deliveries", async () => {
    expect(textOf(await admin.get(list))).toContain("No webhooks yet");
    const made = await submit(`${list}/new`, [
      ["url", receiver.url],
      ["description", "Orders"],
      ["types", "contact.*"],
      ["types", "contact.created"],
      ["types", "message.sent"],
      ["campaigns", "exclude"],
      ["connection_ids", customer.connectionId],
      ["batch.max_events", "10"],
      ["batch.max_wait_seconds", "5"],
    ]);
    expect(made.status).toBe(200);
    const secret = secretIn(made);
    expect(secret).toMatch(/^whsec_/);
    for (const id of ["node", "python", "php", "shell"]) {
      const code = new RegExp(`<textarea id="code-${id}"[^>]*>([^<]*)`).exec(made.body)?.[1];
      expect(code).toContain(secret);
    }
    expect(await webhooks()).toMatchObject([
      {
        url: receiver.url,
        description: "Orders",
        types: ["contact.*", "message.sent"],
        campaigns: "exclude",
        connection_ids: [customer.connectionId],
        batch: { max_events: 10, max_wait_seconds: 5 },
      },
    ]);
    await customer.world.settle();
    const page = await admin.get(list);
    expect(textOf(page)).toMatch(/Orders .*Active .*contact\.\*, message\.sent .*Up to date .*None yet/);
    expect(page.body).not.toContain(secret);
  });

  it.each([
    [[["url", "https://example.org/hook"]], "field-url", "types", "Too small"],
    [
      [
        ["url", "ftp://example.org"],
        ["types", "*"],
      ],
      "field-url",
      "url",
      "Must be a web address, like https://example.com/webhooks.",
    ],
    [
      [
        ["url", "https://example.org"],
        ["types", "contact.nothing"],
      ],
      "types",
      "types",
      "is not an event type",
    ],
    [
      [
        ["url", "https://example.org"],
        ["types", "*"],
        ["batch.max_events", "many"],
      ],
      "batch",
      "batch",
      "Must be a number.",
    ],
  ] as const)("A webhook form shows the error for %j and keeps the input", async (fields, _, __, said) => {
    const refused = await submit(`${list}/new`, [
      ["description", "Kept"],
      ["campaigns", "include"],
      ...fields.map(([name, value]): [string, string] => [name, value]),
    ]);
    expect(refused.status).toBe(400);
    expect(refused.body).toContain('class="fault"');
    if (said !== "Too small") expect(textOf(refused)).toContain(said);
    expect(refused.body).toContain('value="Kept"');
    expect(await webhooks()).toEqual([]);
  });

  it("A webhook form hides event types that no event uses yet, but keeps them if the webhook has them", async () => {
    expect((await admin.get(`${list}/new`)).body).not.toContain("contact.erased");
    const { id } = await hookUp(customer, receiver, { types: ["contact.erased", "contact.created"] });
    expect((await admin.get(`${list}/${id}/edit`)).body).toMatch(/value="contact\.erased" checked/);
  });

  it("A webhook form edits the stored settings of a webhook", async () => {
    const id = await newId();
    const form = await admin.get(`${list}/${id}/edit`);
    expect(form.body).toMatch(/value="contact\.\*" checked/);
    const saved = await submit(`${list}/${id}/edit`, [
      ["url", receiver.url],
      ["types", "*"],
      ["types", "message.*"],
      ["campaigns", "only"],
    ]);
    expect(textOf(await follow(saved))).toContain("saved.");
    expect(await webhooks()).toMatchObject([{ types: ["*"], campaigns: "only", batch: null, connection_ids: null }]);
  });
});

describe("Webhook page", () => {
  it("A webhook page lists deliveries by state, and can send a delivery again", async () => {
    receiver.answer = () => new Response("out of <order>", { status: 500 });
    const id = await newId();
    await tellOf(customer, ["ct_1"]);
    await world.settle({ withinMs: 0 });
    const page = await admin.get(`${list}/${id}`);
    expect(textOf(page)).toMatch(/Waiting until .* 500 in \d+ ms/);
    expect(page.body).toContain("out of &lt;order&gt;");
    expect(textOf(await admin.get(`${list}/${id}?state=succeeded`))).toContain("No deliveries in this state.");
    const retry = /action="([^"]*\/deliveries\/[^"]*\/retry)"/.exec(page.body)?.[1] ?? "";

    receiver.answer = () => new Response(null, { status: 204 });
    expect(textOf(await follow(await admin.post(retry)))).toContain("Sending it again.");
    await world.settle({ withinMs: 0 });
    expect(receiver.received).toHaveLength(2);
    expect(textOf(await admin.get(`${list}/${id}?state=succeeded`))).toMatch(/Succeeded 2 attempts, last: 204/);
  });

  it("A webhook page sends a test and shows the response", async () => {
    const id = await newId();
    receiver.answer = () => new Response("Not today", { status: 503 });
    const failed = textOf(await admin.post(`${list}/${id}/test`));
    expect(failed).toMatch(/Test failed: the endpoint returned 503 \(\d+ ms\)\. Not today/);
    receiver.answer = () => new Response("Thanks");
    expect(textOf(await admin.post(`${list}/${id}/test`))).toMatch(/Test delivered: 200 in \d+ ms\. Thanks/);
    receiver.answer = () => {
      throw new TypeError("connection refused");
    };
    const unreached = textOf(await admin.post(`${list}/${id}/test`));
    expect(unreached).toMatch(/Test failed: the endpoint could not be reached \(\d+ ms\)\./);
    expect(receiver.events.map(({ type }) => type)).toEqual(["webhook.test", "webhook.test", "webhook.test"]);
  });

  it("A webhook is shown as failing after a failed attempt, until an attempt succeeds", async () => {
    const pages = [list, `${list}/${await newId()}`];
    receiver.answer = () => new Response("", { status: 500 });
    await tellOf(customer, ["ct_1"]);
    await world.settle({ withinMs: 0 });
    for (const path of pages) expect(textOf(await admin.get(path))).toMatch(/Failing since \d+ \w+/);
    expect(textOf(await admin.get(list))).toMatch(/Failed \d+ \w+/);
    receiver.answer = () => new Response("");
    await world.settle();
    for (const path of pages) expect(textOf(await admin.get(path))).not.toContain("Failing since");
    expect(textOf(await admin.get(list))).toMatch(/Delivered \d+ \w+/);
  });

  it("A webhook can be paused, resumed and deleted in the console", async () => {
    const id = await newId();
    expect(textOf(await follow(await admin.post(`${list}/${id}/pause`)))).toContain("Webhook paused. Events are kept");
    await tellOf(customer, ["ct_1"]);
    await world.settle({ withinMs: 0 });
    expect(receiver.received).toEqual([]);
    expect(textOf(await admin.get(list))).toMatch(/Paused .*behind/);
    expect(textOf(await follow(await admin.post(`${list}/${id}/enable`)))).toContain(
      "Webhook enabled. Delivery resumes",
    );
    await world.settle({ withinMs: 0 });
    expect(receiver.received).toHaveLength(1);

    const page = await admin.get(`${list}/${id}`);
    expect(page.body).toMatch(/<dialog id="delete"/);
    expect(textOf(await follow(await admin.post(`${list}/${id}/delete`)))).toContain("deleted.");
    expect(await webhooks()).toEqual([]);
  });

  it("After a webhook secret is rotated, the previous secret stays valid for some time", async () => {
    const { id, secret } = await hookUp(customer, receiver);
    const made = await admin.post(`${list}/${id}/rotate-secret`, { overlap_seconds: "3600" });
    const second = secretIn(made);
    expect(second).toMatch(/^whsec_/);
    expect(second).not.toBe(secret);
    await admin.post(`${list}/${id}/test`);
    const [request] = receiver.received;
    if (request === undefined) throw new Error("Nothing was sent.");
    for (const each of [secret, second]) expect(() => receiver.verify(request, each)).not.toThrow();
    const refused = await admin.post(`${list}/${id}/rotate-secret`, { overlap_seconds: "soon" });
    expect(refused.status).toBe(400);
    expect(textOf(refused)).toContain("Must be a number.");
  });

  it("A disabled webhook shows the reason on its page and on the overview", async () => {
    const { id } = await hookUp(customer, receiver, { description: "Orders" });
    const overview = `/console/${customer.workspaceId}/overview`;
    expect(textOf(await admin.get(overview))).not.toContain("Orders");
    receiver.answer = () => new Response(null, { status: 410 });
    await tellOf(customer, ["ct_1"]);
    await world.settle({ withinMs: 0 });
    expect(await webhooks()).toMatchObject([{ status: "disabled" }]);
    const { status_reason: reason } = (await webhooks())[0];
    expect(textOf(await admin.get(list))).toContain(`Disabled ${reason}`);
    expect(textOf(await admin.get(`${list}/${id}`))).toContain(`Deliveries have stopped. ${reason}`);
    expect(textOf(await admin.get(overview))).toContain(`Orders Disabled Deliveries have stopped. ${reason}`);
  });
});
