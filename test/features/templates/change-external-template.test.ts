import { describe, expect, it, vi } from "vitest";
import { CloudStandIn } from "../../support/providers/cloud.ts";
import { graphError } from "../../support/providers/graph-error.ts";
import { linkedCustomer, playInEachTest, report } from "../../support/providers/linked.ts";
import { logged } from "../../support/read-log.ts";
import { costOf, faultyWorld, onShard } from "../../support/storage.ts";
import {
  approvedTemplate,
  nextSync,
  removeTemplate,
  reviewOf,
  scheduleCampaign,
  syncTemplates,
} from "../../support/submissions.ts";
import { createTemplate, refusal } from "../../support/templates.ts";
import type { Answer, Customer } from "../../support/world.ts";

let cloud: CloudStandIn;

playInEachTest(() => (cloud = new CloudStandIn()));

const body = { type: "BODY", text: "Hello {{1}}!", example: { body_text: [["Ann"]] } };

const change = (customer: Customer, id: string, sent: object, headers = {}): Promise<Answer> =>
  customer.call("PATCH", `/templates/${id}`, sent, { headers });

describe("Changes of external templates", () => {
  it("If several changes to an external template start from one revision, only one calls the provider", async () => {
    const { customer, id, at } = await approvedTemplate(cloud);
    const tag = (await customer.call("GET", at)).headers.get("ETag") ?? "";
    const edit = vi.spyOn(cloud.catalog, "edit");
    const answers = await Promise.all(
      ["MARKETING", "UTILITY", "MARKETING"].map((category, index) =>
        change(
          customer,
          id,
          { category, components: [{ ...body, text: `Hello {{1}} ${index}!` }] },
          { "If-Match": tag },
        ),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 412, 412]);
    expect(edit).toHaveBeenCalledTimes(1);
    const winner = answers.find(({ status }) => status === 200);
    const { body: stored, headers } = await customer.call("GET", at);
    expect([stored.template, headers.get("ETag")]).toEqual([winner?.body.template, winner?.headers.get("ETag")]);
  });

  it("A change to an external template increases the revision once, but a rejection or a change without effect does not", async () => {
    const { customer, id, at } = await approvedTemplate(cloud);
    const tag = async () => (await customer.call("GET", at)).headers.get("ETag") ?? "";
    const first = Number((await tag()).slice(1, -1));
    const from = async (sent: object) => change(customer, id, sent, { "If-Match": await tag() });
    cloud.gateway = () => graphError(100, "Invalid parameter", 400, "Templates can be edited once a day.");
    expect((await from({ components: [body] })).status).toBe(502);
    expect((await removeTemplate(customer, id, { "If-Match": await tag() })).status).toBe(502);
    expect(await tag()).toBe(`"${first}"`);
    cloud.gateway = null;
    for (const _ of [1, 2]) {
      expect((await from({ components: [body], category: "MARKETING" })).headers.get("ETag")).toBe(`"${first + 1}"`);
      await report(customer, cloud.deliver(reviewOf("APPROVED")));
    }
  });

  it("A change to an external template with an outdated revision calls no provider, and a review does not increase the revision", async () => {
    const { customer, id, at } = await approvedTemplate(cloud);
    const tag = (await customer.call("GET", at)).headers.get("ETag") ?? "";
    const asked = vi.spyOn(cloud.catalog, "change");
    const stale = { "If-Match": '"99"' };
    expect((await change(customer, id, { components: [body] }, stale)).status).toBe(412);
    expect((await removeTemplate(customer, id, stale)).status).toBe(412);
    expect(asked).not.toHaveBeenCalled();
    await report(customer, cloud.deliver(reviewOf("PAUSED")));
    expect((await customer.call("GET", at)).headers.get("ETag")).toBe(tag);
    expect((await removeTemplate(customer, id, { "If-Match": tag })).status).toBe(200);
  });

  it("A change to an external template is made at the provider, and its new status is stored", async () => {
    const { customer, id, at } = await approvedTemplate(cloud);
    const before = (await customer.call("GET", at)).body.template;
    const { events } = await logged(customer, async () => {
      const answer = await change(customer, id, { components: [body], category: "MARKETING" });
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      expect(answer.body.template).toEqual({
        ...before,
        body: "Hello {{1}}!",
        components: [body],
        variables: ["1"],
        category: "MARKETING",
        status: "PENDING",
        sendable: false,
        updated_at: new Date().toISOString(),
      });
      expect(costOf(answer)).toMatchObject({ trips: 2 });
      expect((await customer.call("GET", at)).body.template).toEqual(answer.body.template);
    });
    expect(events).toEqual([
      [
        "template.updated",
        id,
        {
          body: [before.body, "Hello {{1}}!"],
          category: ["UTILITY", "MARKETING"],
          variables: [["1", "2", "3", "4"], ["1"]],
          components: [before.components, [body]],
        },
      ],
      ["template.status_changed", id, { status: ["APPROVED", "PENDING"] }],
    ]);
    expect(cloud.templates).toMatchObject([{ category: "MARKETING", components: [body], status: "PENDING" }]);
    await report(customer, cloud.deliver(reviewOf("APPROVED")));
    expect((await customer.call("GET", at)).body.template.status).toBe("APPROVED");
  });

  it("The event about a changed external template contains the changed parts, and variables can change from numbers to names", async () => {
    const { customer, id } = await approvedTemplate(cloud);
    const footer = { type: "FOOTER", text: "Acme" };
    const named = {
      type: "BODY",
      text: "Hi {{name}}!",
      example: { body_text_named_params: [{ param_name: "name", example: "Ann" }] },
    };
    expect((await change(customer, id, { components: [named] })).body.template).toMatchObject({ variables: ["name"] });
    expect(cloud.templates).toMatchObject([{ parameter_format: "NAMED" }]);
    const { events } = await logged(customer, () => change(customer, id, { components: [named, footer] }));
    expect(events).toEqual([["template.updated", id, { components: [[named], [named, footer]] }]]);
  });

  it("A change to an external template requires its header's file again, because examples are not stored", async () => {
    const { customer, id } = await approvedTemplate(cloud);
    const answer = await change(customer, id, { components: [{ type: "HEADER", format: "IMAGE" }, body] });
    expect(answer.status).toBe(400);
    expect(answer.body.error.details).toEqual([
      {
        path: "components.0.example",
        code: "required",
        message: expect.stringContaining("Tidings does not store the example"),
      },
    ]);
  });

  it("A change to an external template is rejected if it breaks the provider's rules, has fields of local templates, or is from another workspace", async () => {
    const { customer, id } = await approvedTemplate(cloud);
    const stranger = await linkedCustomer(cloud);
    const calls = cloud.requests.length;
    const local = await createTemplate(customer, "Hello");
    const pathsOf = async (answer: Promise<Answer>) => {
      const [status, code, details] = await refusal(answer);
      expect([status, code]).toEqual([400, "validation_failed"]);
      return details.map(({ path }: { path: string }) => path).toSorted();
    };
    expect(await pathsOf(change(customer, local, { components: [body], category: "UTILITY" }))).toEqual([
      "category",
      "components",
    ]);
    expect(await pathsOf(change(customer, id, { body: "Hi" }))).toEqual(["body"]);
    expect(await pathsOf(change(customer, id, { body: "Hi", components: [body] }))).toEqual(["components"]);
    expect(await pathsOf(change(customer, id, { language: "de" }))).toEqual(["language"]);
    expect(await pathsOf(change(customer, id, { components: [] }))).toEqual(["components"]);
    expect(await pathsOf(change(customer, id, { components: [{ ...body, text: "Hi {{1}}" }] }))).toEqual([
      "components.0.text",
    ]);
    expect(await pathsOf(change(customer, id, { category: "AUTHENTICATION", components: [body] }))).toEqual([
      "components",
      "components.0.text",
    ]);
    for (const call of [change(stranger, id, { components: [body] }), removeTemplate(stranger, id)])
      expect(await refusal(call)).toEqual([404, "not_found", null]);
    await onShard(customer, "UPDATE connections SET status = 'error' WHERE id = ?", customer.connectionId);
    for (const call of [change(customer, id, { components: [body] }), removeTemplate(customer, id)])
      expect(await refusal(call)).toEqual([409, "invalid_state", { status: "error" }]);
    expect(cloud.requests).toHaveLength(calls);
  });

  it("A change to an external template that the provider rejects returns the reason and changes nothing", async () => {
    const { customer, id, at } = await approvedTemplate(cloud);
    const before = (await customer.call("GET", at)).body.template;
    cloud.gateway = () => graphError(100, "Invalid parameter", 400, "Templates can be edited once a day.");
    expect(await refusal(change(customer, id, { components: [body] }))).toMatchObject([
      502,
      "provider_error",
      { provider_code: "100", detail: expect.stringContaining("once a day") },
    ]);
    expect((await customer.call("GET", at)).body.template).toEqual(before);
  });

  it("If the response to a change of an external template is lost, the next sync finds the change, even after a storage failure", async () => {
    const { world, faults } = faultyWorld();
    const { customer, id, at } = await approvedTemplate(cloud, world);
    cloud.catalog.losesNext = true;
    expect(await refusal(change(customer, id, { components: [body] }))).toMatchObject([502, "provider_error", {}]);
    expect(await nextSync(customer)).toBeLessThanOrEqual(0);
    await syncTemplates(customer);
    expect((await customer.call("GET", at)).body.template).toMatchObject({ body: "Hello {{1}}!", status: "PENDING" });
    faults.next(/update "templates" set/);
    expect((await change(customer, id, { category: "MARKETING" })).status).toBe(503);
    expect(await nextSync(customer)).toBeLessThanOrEqual(0);
    await syncTemplates(customer);
    expect((await customer.call("GET", at)).body.template).toMatchObject({ category: "MARKETING" });
  });

  it("A repeated change to an external template returns the first response", async () => {
    const { customer, id } = await approvedTemplate(cloud);
    const ask = { "Idempotency-Key": "k" };
    const first = await change(customer, id, { components: [body] }, ask);
    const calls = cloud.requests.length;
    const again = await change(customer, id, { components: [body] }, ask);
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect(cloud.requests).toHaveLength(calls);
  });

  it("If an external template is changed after a sync has read the provider's list, the sync does not undo the change", async () => {
    const { customer, id, at } = await approvedTemplate(cloud);
    const list = cloud.catalog.list.bind(cloud.catalog);
    vi.spyOn(cloud.catalog, "list").mockImplementationOnce(async (path) => {
      const stale = await list(path);
      await change(customer, id, { components: [body] });
      return stale;
    });
    expect((await syncTemplates(customer)).status).toBe(200);
    expect((await customer.call("GET", at)).body.template).toMatchObject({ body: "Hello {{1}}!", status: "PENDING" });
  });

  it("An external template can be neither changed nor deleted while an unfinished campaign uses it", async () => {
    const { customer, id } = await approvedTemplate(cloud);
    const { campaign_id } = (await scheduleCampaign(customer, id)).body;
    const calls = cloud.requests.length;
    const refused = [409, "conflict", { field: "template_id", campaign_id }];
    expect(await refusal(change(customer, id, { components: [body] }))).toEqual(refused);
    expect(await refusal(removeTemplate(customer, id))).toEqual(refused);
    expect(cloud.requests).toHaveLength(calls);
    await customer.call("POST", `/campaigns/${campaign_id}/cancel`);
    expect((await removeTemplate(customer, id)).status).toBe(200);
  });
});
