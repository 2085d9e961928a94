import { beforeEach, describe, expect, test, vi } from "vitest";
import { storeTemplateReview } from "../../../src/features/templates/sync/sync-templates.ts";
import { stopClock } from "../../support/clock.ts";
import { contextOf } from "../../support/context.ts";
import { orderUpdate, providerHolds } from "../../support/provider.ts";
import { readEvents, readLog } from "../../support/read-log.ts";
import { type Customer, World } from "../../support/world.ts";

let customer: Customer;
let key: string;

beforeEach(async () => {
  customer = await new World().customer();
  key = `api_key:${customer.keyId}`;
});

const once = { headers: { "Idempotency-Key": "once" } };

test("Creating, changing and deleting a tag are logged once each, with the changed fields", async () => {
  const { body } = await customer.call("POST", "/tags", { name: "VIP", color: "#112233" }, once);
  await customer.call("POST", "/tags", { name: "VIP", color: "#112233" }, once);
  await customer.call("POST", "/tags", { name: "vip" });
  const { id } = body.tag;
  await customer.call("PATCH", `/tags/${id}`, { name: "Gold" });
  await customer.call("PATCH", `/tags/${id}`, { name: "Gold", color: "#112233" });
  await customer.call("DELETE", `/tags/${id}`);
  await customer.call("DELETE", `/tags/${id}`);
  expect(await readEvents(customer, "tag")).toEqual([
    { actor: key, type: "tag.created", id, changes: { name: [null, "VIP"], color: [null, "#112233"] } },
    { actor: key, type: "tag.updated", id, changes: { name: ["VIP", "Gold"] } },
    { actor: key, type: "tag.deleted", id, changes: null },
  ]);
});

test("Creating, changing and deleting a custom field are logged once each, with the changed fields", async () => {
  const field = { field_key: "plan", label: "Plan", type: "select", options: ["a", "b"] };
  const { body } = await customer.call("POST", "/custom-fields", field);
  await customer.call("POST", "/custom-fields", field);
  const { id } = body.custom_field;
  await customer.call("PATCH", `/custom-fields/${id}`, { label: "Tariff", options: ["a", "c"] });
  await customer.call("PATCH", `/custom-fields/${id}`, { label: "Tariff" });
  await customer.call("DELETE", `/custom-fields/${id}`);
  const changes = {
    field_key: [null, "plan"],
    label: [null, "Plan"],
    type: [null, "select"],
    options: [null, ["a", "b"]],
  };
  expect(await readEvents(customer, "custom_field")).toEqual([
    { actor: key, type: "custom_field.created", id, changes },
    {
      actor: key,
      type: "custom_field.updated",
      id,
      changes: {
        label: ["Plan", "Tariff"],
        options: [
          ["a", "b"],
          ["a", "c"],
        ],
      },
    },
    { actor: key, type: "custom_field.deleted", id, changes: null },
  ]);
});

test("Creating, changing and deleting a segment are logged once each, with the filter in the API's form", async () => {
  const filter = { match: "all", conditions: [{ field: "name", op: "contains", value: "an" }] };
  const { body } = await customer.call("POST", "/segments", { name: "Ans", filter });
  const { id } = body.segment;
  await customer.call("PATCH", `/segments/${id}`, { name: "All" });
  await customer.call("PATCH", `/segments/${id}`, { name: "All", filter });
  await customer.call("DELETE", `/segments/${id}`);
  await customer.call("DELETE", `/segments/${id}`);
  const { body: page } = await customer.call("GET", "/events?types=segment.*");
  expect(page.events.map(({ type, changes }: { type: string; changes: unknown }) => [type, changes])).toEqual([
    ["segment.created", { name: [null, "Ans"], filter: [null, filter] }],
    ["segment.updated", { name: ["Ans", "All"] }],
    ["segment.deleted", null],
  ]);
  expect(page.events[0]).toMatchObject({ object_id: id, actor: { type: "api_key", id: customer.keyId } });
});

describe("Templates", () => {
  test("Changes of local templates are logged once with the changed fields", async () => {
    const { body } = await customer.call("POST", "/templates", { name: "hello", body: "Hello {{name}}" });
    const { id } = body.template;
    await customer.call("POST", "/templates", { name: "hello", body: "Hello" });
    await customer.call("PATCH", `/templates/${id}`, { body: "Hi" });
    await customer.call("PATCH", `/templates/${id}`, { body: "Hi" });
    await customer.call("DELETE", `/templates/${id}`);
    const own = (await readEvents(customer, "template")).filter((event) => event.id === id);
    const created = {
      name: [null, "hello"],
      body: [null, "Hello {{name}}"],
      status: [null, "APPROVED"],
      source: [null, "local"],
      variables: [null, ["name"]],
    };
    expect(own).toEqual([
      { actor: key, type: "template.created", id, changes: created },
      {
        actor: key,
        type: "template.updated",
        id,
        changes: { body: ["Hello {{name}}", "Hi"], variables: [["name"], []] },
      },
      { actor: key, type: "template.deleted", id, changes: null },
    ]);
  });

  test("External templates are logged when they are added, changed and removed, but not by a sync without changes", async () => {
    customer = await customer.world.customer({ channel: "official" });
    const { connectionId } = customer;
    const created = await readEvents(customer, "template");
    expect(created.map(({ type }) => type)).toEqual(Array.from({ length: 7 }, () => "template.created"));
    const listed = (await customer.call("GET", "/templates?source=external")).body.templates;
    for (const { id, changes } of created) {
      const { components } = listed.find((template: { id: string }) => template.id === id);
      expect(changes).toMatchObject({ components: [null, components] });
    }
    const sync = () => customer.manage("POST", `/connections/${connectionId}/sync-templates`);
    await sync();
    expect(await readEvents(customer, "template")).toEqual(created);
    const ctx = await contextOf(customer);
    const review = { name: "sandbox_promo", language: "en_US", status: "REJECTED", at: ctx.now() + 1000 } as const;
    await storeTemplateReview(ctx, connectionId, review);
    await storeTemplateReview(ctx, connectionId, review);
    await sync();
    expect((await readEvents(customer, "template")).slice(created.length)).toMatchObject([
      { actor: "system", type: "template.status_changed", changes: { status: ["PENDING", "REJECTED"] } },
      { actor: "operator", type: "template.status_changed", changes: { status: ["REJECTED", "PENDING"] } },
    ]);
    const footed = { ...orderUpdate, components: [...orderUpdate.components, { type: "FOOTER", text: "Acme" }] };
    const provider = providerHolds(footed);
    await sync();
    provider.mockRestore();
    expect((await readEvents(customer, "template")).filter(({ type }) => type === "template.updated")).toMatchObject([
      { actor: "operator", changes: { components: [orderUpdate.components, footed.components] } },
    ]);
  });
});

test("Events about a connection do not contain its settings", async () => {
  const path = `/connections/${customer.connectionId}`;
  const { body } = await customer.manage("POST", "/connections", {
    name: "Shop",
    channel: "official",
    provider: "whatsapp_cloud",
    is_default: true,
    config: {
      phone_number_id: "1",
      business_account_id: "2",
      access_token: "secret-token",
      app_secret: "secret-app",
      api_base: "http://127.0.0.1:9",
    },
  });
  const { id } = body.connection;
  await customer.manage("PATCH", `/connections/${id}`, { name: "Store", config: { access_token: "another-secret" } });
  await customer.manage("PATCH", `/connections/${id}`, { name: "Store" });
  await customer.manage("POST", `/connections/${id}/test`);
  await customer.manage("DELETE", `/connections/${id}`);
  const events = (await readEvents(customer, "connection")).filter((event) => event.id === id);
  expect(events).toMatchObject([
    { actor: "operator", type: "connection.created", changes: { name: [null, "Shop"], is_default: [null, true] } },
    { actor: "operator", type: "connection.updated", changes: { name: ["Shop", "Store"] } },
    { actor: "operator", type: "connection.status_changed", changes: { status: ["active", "error"] } },
    { actor: "operator", type: "connection.deleted", changes: null },
  ]);
  expect(JSON.stringify(await readLog(customer))).not.toContain("secret");
  expect((await customer.manage("GET", path)).status).toBe(200);
});

describe("API keys", () => {
  const withoutWaiting = async () => {
    await customer.world.cron();
    return readEvents(customer, "api_key");
  };

  test("Creating and revoking an API key are logged once each", async () => {
    const { body } = await customer.manage("POST", "/api-keys", {
      name: "Shop",
      connection_id: customer.connectionId,
      read_only: true,
      rate_limit: { requests: 10, window_seconds: 60 },
    });
    const { id } = body.api_key;
    await customer.manage("PATCH", `/api-keys/${id}`, { name: "Store" });
    const revokedAt = (await customer.manage("POST", `/api-keys/${id}/revoke`)).body.api_key.revoked_at;
    await customer.manage("POST", `/api-keys/${id}/revoke`);
    await withoutWaiting();
    const events = (await withoutWaiting()).filter((event) => event.id === id);
    expect(events).toEqual([
      {
        actor: "operator",
        type: "api_key.created",
        id,
        changes: {
          name: [null, "Shop"],
          connection_id: [null, customer.connectionId],
          read_only: [null, true],
          rate_limit: [null, { requests: 10, window_seconds: 60 }],
        },
      },
      { actor: "operator", type: "api_key.revoked", id, changes: { revoked_at: [null, revokedAt] } },
    ]);
    expect(JSON.stringify(events)).not.toContain(body.key);
  });
});

test("Events are deleted after 30 days, and the sequence numbers continue", async () => {
  const { world } = customer;
  await customer.call("POST", "/tags", { name: "Old" });
  await customer.call("POST", "/tags", { name: "Newest" });
  const last = (await readLog(customer)).at(-1)?.sequence ?? 0;
  stopClock();
  const minute = new Date(Date.now() + 31 * 86_400_000);
  vi.setSystemTime(minute.setUTCMinutes(17));
  await world.cron();
  expect((await readLog(customer)).map(({ sequence }) => sequence)).toEqual([last]);
  await customer.call("POST", "/tags", { name: "Later" });
  expect((await readLog(customer)).map(({ sequence }) => sequence)).toEqual([last, last + 1]);
  vi.useRealTimers();
});
