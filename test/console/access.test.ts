import { beforeAll, describe, expect, it } from "vitest";
import type { Visitor } from "../support/visitor.ts";
import { type Customer, World } from "../support/world.ts";

// The tests share members of all roles, and no test changes data.

const looks = [
  "/settings/api-keys",
  "/settings/api-keys/new",
  "/settings/connections",
  "/settings/connections/new",
  "/settings/connections/new?provider=waha",
  "/settings/connections/:connection",
  "/settings/webhooks",
  "/settings/webhooks/new",
  "/settings/webhooks/:webhook",
  "/settings/webhooks/:webhook/edit",
  "/settings/events",
  "/settings/custom-fields",
  "/settings/custom-fields/new",
  "/settings/custom-fields/:field",
  "/settings/tags",
  "/templates",
  "/templates/new",
  "/templates/:template",
  "/templates/:template/edit",
];

const changes = [
  "/settings/api-keys/new",
  "/settings/api-keys/:key/revoke",
  "/settings/connections/new",
  "/settings/connections/:connection",
  "/settings/connections/:connection/test",
  "/settings/connections/:connection/sync-templates",
  "/settings/connections/:connection/simulate",
  "/settings/connections/:connection/delete",
  "/settings/webhooks/new",
  "/settings/webhooks/:webhook/edit",
  "/settings/webhooks/:webhook/test",
  "/settings/webhooks/:webhook/pause",
  "/settings/webhooks/:webhook/enable",
  "/settings/webhooks/:webhook/rotate-secret",
  "/settings/webhooks/:webhook/replay",
  "/settings/webhooks/:webhook/deliveries/dlv_1/retry",
  "/settings/webhooks/:webhook/delete",
  "/settings/custom-fields/new",
  "/settings/custom-fields/:field",
  "/settings/custom-fields/:field/delete",
  "/settings/tags",
  "/settings/tags/:tag",
  "/settings/tags/:tag/delete",
  "/templates/new",
  "/templates/new/preview",
  "/templates/:template/edit",
  "/templates/:template/edit/preview",
  "/templates/:template/send",
  "/templates/:template/delete",
];

/** The fields are valid, so that a rejection is about the id. */
const fields: Record<string, string> = {
  "/settings/connections/:connection": "name=Mine&messages_per_second=5",
  "/settings/connections/:connection/simulate": "from=%2B14155550100&text=Hi",
  "/settings/webhooks/:webhook/edit": "url=https://example.org&types=*&campaigns=include",
  "/settings/webhooks/:webhook/rotate-secret": "overlap_seconds=0",
  "/settings/webhooks/:webhook/replay": "only=all",
  "/settings/custom-fields/:field": "label=Mine",
  "/settings/tags/:tag": "name=Mine&color=%23112233",
  "/templates/:template/edit": "name=Mine&body=Hi",
  "/templates/:template/edit/preview": "name=Mine&body=Hi",
};

let customer: Customer;
let stranger: Customer;
let agent: Visitor;
let owner: Visitor;

const ids = new Map<string, Record<string, string>>();

async function stock(of: Customer): Promise<void> {
  const field = await of.call("POST", "/custom-fields", { field_key: "size", label: "Size", type: "text" });
  const tag = await of.call("POST", "/tags", { name: "VIP" });
  const template = await of.call("POST", "/templates", { name: "hello", body: "Hello" });
  const webhook = await of.call("POST", "/webhooks", { url: "https://example.org/", types: ["webhook.*"] });
  ids.set(of.workspaceId, {
    webhook: webhook.body.webhook.id,
    key: of.keyId,
    connection: of.connectionId,
    field: field.body.custom_field.id,
    tag: tag.body.tag.id,
    template: template.body.template.id,
  });
}

beforeAll(async () => {
  const world = new World();
  [customer, stranger] = [await world.customer(), await world.customer()];
  await stock(customer);
  await stock(stranger);
  [owner, agent] = [await customer.member("owner"), await customer.member("agent")];
});

/** A path in the member's workspace, with the ids of another customer's records. */
const at = (path: string, whose: Customer) =>
  `/console/${customer.workspaceId}${path.replace(/:(\w+)/g, (_, name: string) => ids.get(whose.workspaceId)?.[name] ?? "")}`;

describe("Settings and templates", () => {
  it.each(looks)("GET %s shows the page to owners and admins, and an error page to agents", async (path) => {
    expect((await owner.request("GET", at(path, customer))).status).toBe(200);
    const refused = await agent.request("GET", at(path, customer));
    expect(refused.status).toBe(403);
    expect(refused.body).toContain("Access denied");
  });

  it.each(changes)("POST %s rejects agents", async (path) => {
    const sent = await agent.request(
      "POST",
      at(path, customer),
      `csrf_token=${encodeURIComponent(agent.token)}&${fields[path] ?? ""}`,
    );
    expect(sent.status).toBe(403);
    expect(sent.body).toContain("Access denied");
  });

  it.each(changes)("POST %s rejects a request without a CSRF token", async (path) => {
    const forged = await owner.request("POST", at(path, customer), `csrf_token=forged&${fields[path] ?? ""}`);
    expect(forged.status).toBe(403);
  });

  it.each(looks.filter((path) => path.includes("/:")))("GET %s returns 404 for another workspace", async (path) => {
    expect((await owner.request("GET", at(path, stranger))).status).toBe(404);
  });

  it.each(Object.keys(fields))("POST %s returns 404 for another workspace", async (path) => {
    const body = `csrf_token=${encodeURIComponent(owner.token)}&${fields[path] ?? ""}`;
    expect((await owner.request("POST", at(path, stranger), body)).status).toBe(404);
  });

  it.each(changes.filter((path) => path.includes("/:") && fields[path] === undefined))(
    "POST %s changes nothing in another workspace",
    async (path) => {
      const answer = await owner.post(at(path, stranger));
      expect(answer.status === 303 || answer.status >= 400).toBe(true);
      const page = await owner.get(at("/settings/tags", customer));
      if (answer.status === 303)
        expect(page.body).toMatch(/No such (API key|webhook|connection|custom field|tag|template)\./);
    },
  );

  it("Requests to another workspace do not change its records", async () => {
    const [keys, tags, templates, custom, webhooks] = await Promise.all([
      stranger.manage("GET", `/api-keys/${stranger.keyId}`),
      stranger.call("GET", "/tags"),
      stranger.call("GET", "/templates"),
      stranger.call("GET", "/custom-fields"),
      stranger.call("GET", "/webhooks"),
    ]);
    expect(webhooks.body.webhooks).toMatchObject([{ url: "https://example.org/", status: "active" }]);
    expect(keys.body.api_key.revoked_at).toBeNull();
    expect(tags.body.tags).toMatchObject([{ name: "VIP" }]);
    expect(templates.body.templates).toMatchObject([{ name: "hello", body: "Hello" }]);
    expect(custom.body.custom_fields).toMatchObject([{ label: "Size" }]);
    expect((await stranger.manage("GET", `/connections/${stranger.connectionId}`)).status).toBe(200);
  });
});
