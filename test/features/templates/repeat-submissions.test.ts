import { describe, expect, it, vi } from "vitest";
import { CloudStandIn } from "../../support/providers/cloud.ts";
import { linkedCustomer, playInEachTest } from "../../support/providers/linked.ts";
import { faultyWorld } from "../../support/storage.ts";
import { nextSync, submitTemplate, syncTemplates, templatesOf } from "../../support/submissions.ts";
import { refusal } from "../../support/templates.ts";

let cloud: CloudStandIn;

playInEachTest(() => (cloud = new CloudStandIn()));

const calls = (method = "POST") => cloud.requests.filter((each) => each.method === method).length;

describe("Lost responses", () => {
  it("If the provider's response to a template submission is lost, the request returns an error, and the next sync finds the template", async () => {
    const customer = await linkedCustomer(cloud);
    cloud.catalog.losesNext = true;
    const answer = await submitTemplate(customer);
    expect([answer.status, answer.body.error.code]).toEqual([502, "provider_error"]);
    expect(answer.body.error.message).toContain("may have applied the change");
    expect(await templatesOf(customer)).toEqual([]);
    expect(await nextSync(customer)).toBe(0);
    await customer.world.cron();
    expect(await templatesOf(customer)).toMatchObject([{ name: "order_update", status: "PENDING" }]);
  });

  it.each([
    ["before", false],
    ["after", true],
  ])(
    "If the provider's response to a template submission was lost, a repeat %s the next sync returns the submitted template",
    async (_, isSynced) => {
      const customer = await linkedCustomer(cloud);
      const ask = { "Idempotency-Key": "k" };
      cloud.catalog.losesNext = true;
      expect((await submitTemplate(customer, {}, ask)).status).toBe(502);
      if (isSynced) await syncTemplates(customer);
      const repeated = await submitTemplate(customer, {}, ask);
      expect(repeated.status, JSON.stringify(repeated.body)).toBe(201);
      expect(await templatesOf(customer)).toEqual([repeated.body.template]);
      const again = await submitTemplate(customer, {}, ask);
      expect([again.body, again.headers.get("Idempotent-Replayed")]).toEqual([repeated.body, "true"]);
      expect(cloud.templates).toHaveLength(1);
      const other = await refusal(submitTemplate(customer, {}, { "Idempotency-Key": "other" }));
      expect(other).toMatchObject([409, "conflict", { template_id: repeated.body.template.id }]);
    },
  );

  it("A sync or a repeated request finds a template that storage failed to store", async () => {
    const { world, faults } = faultyWorld();
    const customer = await linkedCustomer(cloud, world);
    const ask = { "Idempotency-Key": "k" };
    faults.next(/insert into "templates"/);
    expect((await submitTemplate(customer, {}, ask)).status).toBe(503);
    expect(await nextSync(customer)).toBe(0);
    const repeated = await submitTemplate(customer, {}, ask);
    expect(repeated.status).toBe(201);
    expect(await templatesOf(customer)).toEqual([repeated.body.template]);
    expect(cloud.templates).toHaveLength(1);
  });
});

describe("Repeated submissions", () => {
  it("If a template submission is repeated, the first response is returned", async () => {
    const customer = await linkedCustomer(cloud);
    const ask = { "Idempotency-Key": "k" };
    const first = await submitTemplate(customer, {}, ask);
    const again = await submitTemplate(customer, {}, ask);
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(calls()).toBe(1);
    const other = await submitTemplate(customer, { language: "de" }, ask);
    expect(other.body.error.code).toBe("idempotency_key_reused");
  });

  it("Two concurrent submissions of a template call the provider once and return the same response", async () => {
    const customer = await linkedCustomer(cloud);
    const ask = { "Idempotency-Key": "k" };
    const answers = await Promise.all(Array.from({ length: 4 }, () => submitTemplate(customer, {}, ask)));
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(new Set(answers.map(({ body }) => body.template.id)).size).toBe(1);
    expect(cloud.templates).toHaveLength(1);
    expect(await templatesOf(customer)).toHaveLength(1);
  });

  it("If a sync stores a template while the template is submitted, the sync and the submission store one template with one id", async () => {
    const customer = await linkedCustomer(cloud);
    cloud.catalog.meanwhile = () => syncTemplates(customer);
    const answer = await submitTemplate(customer);
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    expect(await templatesOf(customer)).toEqual([answer.body.template]);
  });
});

describe("Outdated syncs", () => {
  it("If a template is submitted while a sync reads the list, the sync reads the list again and does not delete the template", async () => {
    const customer = await linkedCustomer(cloud);
    const list = cloud.catalog.list.bind(cloud.catalog);
    const listing = vi.spyOn(cloud.catalog, "list").mockImplementationOnce(async (path) => {
      const stale = await list(path);
      await submitTemplate(customer);
      return stale;
    });
    expect((await syncTemplates(customer)).body).toMatchObject({ created: 0, removed: 0 });
    expect(listing).toHaveBeenCalledTimes(2);
    expect(await templatesOf(customer)).toHaveLength(1);
  });
});
