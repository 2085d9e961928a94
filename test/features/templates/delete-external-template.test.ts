import { describe, expect, it, vi } from "vitest";
import { CloudStandIn } from "../../support/providers/cloud.ts";
import { graphError } from "../../support/providers/graph-error.ts";
import { playInEachTest } from "../../support/providers/linked.ts";
import { logged } from "../../support/read-log.ts";
import { faultyWorld } from "../../support/storage.ts";
import {
  approvedTemplate,
  removeTemplate,
  scheduleCampaign,
  syncTemplates,
  templatesOf,
} from "../../support/submissions.ts";
import { refusal } from "../../support/templates.ts";

let cloud: CloudStandIn;

playInEachTest(() => (cloud = new CloudStandIn()));

describe("Deletion of external templates", () => {
  it("An external template is deleted once, first at the provider and then in Tidings", async () => {
    const { customer, id, at } = await approvedTemplate(cloud);
    const { template } = (await customer.call("GET", at)).body;
    const ask = { "Idempotency-Key": "d" };
    const { events } = await logged(customer, async () => {
      const answer = await removeTemplate(customer, id, ask);
      expect([answer.status, answer.body.template]).toEqual([200, template]);
    });
    expect(events).toEqual([["template.deleted", id, null]]);
    expect(cloud.templates).toEqual([]);
    expect(await templatesOf(customer)).toEqual([]);
    const again = await removeTemplate(customer, id, ask);
    expect([again.body.template, again.headers.get("Idempotent-Replayed")]).toEqual([template, "true"]);
    expect(await refusal(removeTemplate(customer, id))).toEqual([404, "not_found", null]);
  });

  it("Deleting an external template succeeds if the provider has already deleted it", async () => {
    const { customer, id } = await approvedTemplate(cloud);
    cloud.templates = [];
    expect((await removeTemplate(customer, id)).status).toBe(200);
    expect(await templatesOf(customer)).toEqual([]);
  });

  it("An external template remains if the provider rejects its deletion; if the provider's response is lost, a sync finds the result", async () => {
    const { customer, id } = await approvedTemplate(cloud);
    cloud.gateway = () => graphError(190, "Error validating access token", 401);
    expect(await refusal(removeTemplate(customer, id))).toMatchObject([
      502,
      "provider_error",
      { provider_code: "190" },
    ]);
    cloud.gateway = null;
    expect(await templatesOf(customer)).toHaveLength(1);
    cloud.catalog.losesNext = true;
    expect((await removeTemplate(customer, id)).status).toBe(502);
    expect(await templatesOf(customer)).toHaveLength(1);
    expect((await removeTemplate(customer, id)).status).toBe(200);
    expect(await templatesOf(customer)).toEqual([]);
  });

  it("A repeated request completes the deletion of an external template after a storage failure", async () => {
    const { world, faults } = faultyWorld();
    const { customer, id } = await approvedTemplate(cloud, world);
    faults.next(/delete from "templates"/);
    expect((await removeTemplate(customer, id)).status).toBe(503);
    expect((await removeTemplate(customer, id)).status).toBe(200);
    expect(await templatesOf(customer)).toEqual([]);
  });

  it("If an external template is deleted after a sync has read the provider's list, the sync does not undo the deletion", async () => {
    const { customer, id } = await approvedTemplate(cloud);
    const list = cloud.catalog.list.bind(cloud.catalog);
    vi.spyOn(cloud.catalog, "list").mockImplementationOnce(async (path) => {
      const stale = await list(path);
      await removeTemplate(customer, id);
      return stale;
    });
    expect((await syncTemplates(customer)).body).toMatchObject({ created: 0, removed: 0 });
    expect(await templatesOf(customer)).toEqual([]);
  });

  it("Two concurrent deletions of an external template both succeed", async () => {
    const { customer, id } = await approvedTemplate(cloud);
    const answers = await Promise.all([removeTemplate(customer, id), removeTemplate(customer, id)]);
    expect(answers.map(({ status }) => status).every((status) => status === 200 || status === 404)).toBe(true);
    expect(answers.some(({ status }) => status === 200)).toBe(true);
    expect(await templatesOf(customer)).toEqual([]);
  });

  it("A campaign fails if it is created while its external template is deleted", async () => {
    const { customer, id } = await approvedTemplate(cloud);
    let campaign = "";
    cloud.catalog.meanwhile = async () => {
      campaign = (await scheduleCampaign(customer, id)).body.campaign_id;
    };
    expect((await removeTemplate(customer, id)).status).toBe(200);
    await customer.world.settle({ withinMs: 2 * 86_400_000 });
    expect((await customer.call("GET", `/campaigns/${campaign}`)).body.campaign).toMatchObject({
      status: "failed",
      last_error: "template_not_approved",
    });
  });
});
