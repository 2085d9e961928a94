import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ProviderError } from "../../../src/channels/channel.ts";
import type { TemplateStatus } from "../../../src/channels/templates/channel-templates.ts";
import { createBaseCtx } from "../../../src/entrypoints/base-context.ts";
import { storeTemplateReview } from "../../../src/features/templates/sync/sync-templates.ts";
import { findWorkspace } from "../../../src/features/workspaces/workspaces.service.ts";
import { type Ctx, forWorkspace } from "../../../src/shared/context.ts";
import { stopClock } from "../../support/clock.ts";
import { orderUpdate, providerHolds } from "../../support/provider.ts";
import { faultyWorld, onShard } from "../../support/storage.ts";
import { type Answer, type Customer, World } from "../../support/world.ts";

beforeEach(stopClock);

afterEach(() => {
  vi.restoreAllMocks();
});

/** Returns a job's context for the customer's workspace. */
async function contextOf(customer: Customer): Promise<Ctx> {
  const waitUntil = (work: Promise<unknown>) => void work;
  const base = createBaseCtx(customer.world.env, { requestId: "test", actor: { type: "system" }, waitUntil });
  return forWorkspace(base, await findWorkspace(base, customer.workspaceId));
}

const official = { name: "Sandbox", channel: "official", provider: "sandbox", config: {} };

const sync = (customer: Customer, connectionId = customer.connectionId): Promise<Answer> =>
  customer.manage("POST", `/connections/${connectionId}/sync-templates`);

const templatesOf = async (customer: Customer): Promise<Answer["body"][]> =>
  (await customer.call("GET", "/templates")).body.templates;

const counts = async (answer: Promise<Answer>) => {
  const { created, updated, removed } = (await answer).body;
  return [created, updated, removed];
};

describe("Official sandbox connections", () => {
  it("An official sandbox connection is created with external templates", async () => {
    const customer = await new World().customer({ channel: "official" });
    const templates = await templatesOf(customer);
    const shown = templates.map(({ name, status, variables }) => [name, { status, variables }]);
    expect(Object.fromEntries(shown)).toEqual({
      sandbox_order_update: { status: "APPROVED", variables: ["1", "2"] },
      sandbox_welcome: { status: "APPROVED", variables: ["name"] },
      sandbox_promo: { status: "PENDING", variables: ["1"] },
      sandbox_blocked: { status: "REJECTED", variables: ["1"] },
      sandbox_photo: { status: "APPROVED", variables: ["1", "2"] },
      sandbox_carousel: { status: "APPROVED", variables: ["1"] },
      sandbox_login_code: { status: "APPROVED", variables: ["1"] },
    });
    const createdAt = expect.stringMatching(/Z$/);
    expect(templates.find(({ name }) => name === "sandbox_order_update")).toEqual({
      id: expect.stringMatching(/^tpl_[0-9a-z]{26}$/),
      name: "sandbox_order_update",
      body: "Your order {{1}} will arrive on {{2}}.",
      status: "APPROVED",
      source: "external",
      connection_id: customer.connectionId,
      language: "en_US",
      category: "UTILITY",
      variables: ["1", "2"],
      components: [{ type: "BODY", text: "Your order {{1}} will arrive on {{2}}." }],
      quality: null,
      rejection_reason: null,
      sendable: true,
      missing: [],
      created_at: createdAt,
      updated_at: createdAt,
    });
  });

  it("Each official sandbox connection has its own templates", async () => {
    const customer = await new World().customer({ channel: "official" });
    const second = (await customer.manage("POST", "/connections", official)).body.connection;
    const templates = await templatesOf(customer);
    expect(templates).toHaveLength(14);
    expect(templates.filter(({ connection_id }) => connection_id === second.id)).toHaveLength(7);
  });

  it("An official sandbox connection is not created if storage fails to store its templates", async () => {
    const { world, faults } = faultyWorld();
    const customer = await world.customer();
    faults.next(/INSERT INTO templates/);
    expect((await customer.manage("POST", "/connections", official)).status).toBe(503);
    expect((await customer.manage("GET", "/connections")).body.connections).toHaveLength(1);
    expect(await templatesOf(customer)).toEqual([]);
  });

  it("An official sandbox connection is deleted with its templates", async () => {
    const customer = await new World().customer({ channel: "official" });
    const second = (await customer.manage("POST", "/connections", official)).body.connection;
    await customer.manage("DELETE", `/connections/${second.id}`);
    const templates = await templatesOf(customer);
    expect(templates.map(({ connection_id }) => connection_id)).toEqual(Array(7).fill(customer.connectionId));
    expect((await sync(customer, second.id)).status).toBe(404);
  });
});

describe("Unofficial connections", () => {
  it("An unofficial connection has no external templates", async () => {
    const customer = await new World().customer();
    expect(await templatesOf(customer)).toEqual([]);
    const answer = await sync(customer);
    expect([answer.status, answer.body.error.code]).toEqual([409, "invalid_state"]);
  });
});

describe("Template sync", () => {
  it("A template sync without changes writes nothing", async () => {
    const customer = await new World().customer({ channel: "official" });
    const before = await templatesOf(customer);
    customer.world.advance(60_000);
    const answer = await sync(customer);
    expect(answer.body).toEqual({ success: true, created: 0, updated: 0, removed: 0 });
    expect(answer.headers.get("Server-Timing")).toContain("rows_written=0");
    expect(await templatesOf(customer)).toEqual(before);
  });

  it("A template sync restores deleted and changed templates with their ids", async () => {
    const customer = await new World().customer({ channel: "official" });
    const ids = new Map((await templatesOf(customer)).map(({ id, name }) => [name, id]));
    await onShard(customer, "DELETE FROM templates WHERE id = ?", ids.get("sandbox_promo"));
    const sql = "UPDATE templates SET status = 'APPROVED', body = 'Other' WHERE id = ?";
    await onShard(customer, sql, ids.get("sandbox_blocked"));
    customer.world.advance(1000);
    expect(await counts(sync(customer))).toEqual([1, 1, 0]);
    const templates = await templatesOf(customer);
    expect(Object.fromEntries(templates.map(({ name, status }) => [name, status]))).toEqual({
      sandbox_order_update: "APPROVED",
      sandbox_welcome: "APPROVED",
      sandbox_promo: "PENDING",
      sandbox_blocked: "REJECTED",
      sandbox_photo: "APPROVED",
      sandbox_carousel: "APPROVED",
      sandbox_login_code: "APPROVED",
    });
    const blocked = templates.find(({ name }) => name === "sandbox_blocked");
    expect(blocked).toMatchObject({ id: ids.get("sandbox_blocked"), body: "You have won. Claim it at {{1}} now." });
    expect(blocked.updated_at > blocked.created_at).toBe(true);
  });

  it("A template sync deletes templates that the provider deleted, but no local templates", async () => {
    const customer = await new World().customer({ channel: "official" });
    await customer.call("POST", "/templates", { name: "sandbox_promo", body: "Local" });
    providerHolds(orderUpdate);
    expect(await counts(sync(customer))).toEqual([0, 0, 6]);
    providerHolds();
    expect(await counts(sync(customer))).toEqual([0, 0, 1]);
    expect(await templatesOf(customer)).toMatchObject([{ name: "sandbox_promo", source: "local" }]);
  });

  it("A template sync stores one template for each name and language, even if the provider lists a template twice", async () => {
    const customer = await new World().customer({ channel: "official" });
    const german = { ...orderUpdate, language: "de", components: [{ type: "BODY", text: "Am {{1}} kommt {{2}}." }] };
    providerHolds(orderUpdate, german, german);
    expect(await counts(sync(customer))).toEqual([1, 0, 6]);
    expect(new Set((await templatesOf(customer)).map(({ language }) => language))).toEqual(new Set(["de", "en_US"]));
  });

  it("A template sync stores thousands of templates with large components", { tags: "long" }, async () => {
    const customer = await new World().customer({ channel: "official" });
    const many = Array.from({ length: 3000 }, (_, index) => ({
      ...orderUpdate,
      name: `template_${index}`,
      components: [{ type: "BODY", text: `${"é".repeat(900)} {{1}}` }],
    }));
    providerHolds(...many);
    expect(await counts(sync(customer))).toEqual([3000, 0, 7]);
    expect(await counts(sync(customer))).toEqual([0, 0, 0]);
    const { templates } = (await customer.call("GET", "/templates?status=APPROVED")).body;
    expect(templates).toHaveLength(3000);
  });

  it("Concurrent template syncs have the same result as one sync", async () => {
    const customer = await new World().customer({ channel: "official" });
    await onShard(customer, "DELETE FROM templates WHERE connection_id = ?", customer.connectionId);
    const answers = await Promise.all(Array.from({ length: 10 }, () => counts(sync(customer))));
    expect(answers.reduce((sum, [created = 0]) => sum + created, 0)).toBe(7);
    expect(await templatesOf(customer)).toHaveLength(7);
  });

  it("A template sync returns the provider's error and changes nothing", async () => {
    const customer = await new World().customer({ channel: "official" });
    const provider = providerHolds();
    provider.mockRejectedValueOnce(new ProviderError("Error validating access token.", "190"));
    const answer = await sync(customer);
    expect([answer.status, answer.body.error.code, answer.body.error.details]).toEqual([
      502,
      "provider_error",
      { provider: "sandbox", provider_code: "190", detail: "Error validating access token." },
    ]);
    provider.mockRejectedValueOnce(new Error("socket secret-token closed"));
    const lost = await sync(customer);
    expect([lost.status, lost.body.error.details.provider_code]).toEqual([502, null]);
    expect(JSON.stringify(lost.body)).not.toContain("secret-token");
    expect(await templatesOf(customer)).toHaveLength(7);
  });

  it("A template sync does not find a connection of another workspace", async () => {
    const world = new World();
    const [customer, stranger] = [await world.customer({ channel: "official" }), await world.customer()];
    const answer = await sync(stranger, customer.connectionId);
    expect([answer.status, answer.body.error.code]).toEqual([404, "not_found"]);
    expect(await templatesOf(stranger)).toEqual([]);
  });

  it("A template sync accepts no Idempotency-Key and no body", async () => {
    const customer = await new World().customer({ channel: "official" });
    const at = `/connections/${customer.connectionId}/sync-templates`;
    const headers = { "Idempotency-Key": "k" };
    expect((await customer.manage("POST", at, undefined, { headers })).status).toBe(400);
    expect((await customer.manage("POST", at, { force: true })).status).toBe(400);
  });
});

describe("Template reviews", () => {
  it("Template reviews have the same result in any order, and apply only to their own connection", async () => {
    const customer = await new World().customer({ channel: "official" });
    const other = (await customer.manage("POST", "/connections", official)).body.connection;
    const context = await contextOf(customer);
    const now = Date.now();
    const judge = (status: TemplateStatus, at: number, change: { name?: string; language?: string } = {}) =>
      storeTemplateReview(context, other.id, { name: "sandbox_promo", language: "en_US", status, at, ...change });
    const statuses = async () => {
      const { templates } = (await customer.call("GET", "/templates?source=external")).body;
      const promos = templates.filter(({ name }: { name: string }) => name === "sandbox_promo");
      return new Map(promos.map((each: Answer["body"]) => [each.connection_id, each.status]));
    };
    const expected = (status: TemplateStatus) =>
      new Map([
        [customer.connectionId, "PENDING"],
        [other.id, status],
      ]);
    await judge("APPROVED", now - 1);
    await judge("APPROVED", now + 10, { language: "de" });
    await judge("APPROVED", now + 10, { name: "unknown" });
    expect(await statuses()).toEqual(expected("PENDING"));
    await judge("APPROVED", now + 10);
    await judge("REJECTED", now + 5);
    expect(await statuses()).toEqual(expected("APPROVED"));
    await judge("REJECTED", now + 20);
    await judge("REJECTED", now + 20);
    expect(await statuses()).toEqual(expected("REJECTED"));
  });
});
