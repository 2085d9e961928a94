import { beforeEach, describe, expect, it, vi } from "vitest";
import { sandbox } from "../../../../src/channels/sandbox/sandbox.ts";
import { stopClock } from "../../../support/clock.ts";
import { addPeople, campaign, startCampaign } from "../../../support/campaigns.ts";
import { orderUpdate, providerHolds } from "../../../support/provider.ts";
import { findExternalTemplate } from "../../../support/templates.ts";
import { type Customer, World } from "../../../support/world.ts";

beforeEach(() => {
  stopClock();
  vi.restoreAllMocks();
});

type Components = Record<string, unknown>[];

const body = { type: "BODY", text: "Only this week." };
const header = (format: string): Components => [
  { type: "HEADER", format, example: { header_handle: ["4::aW"] } },
  body,
];
const linked = (url: string): Components => [body, { type: "BUTTONS", buttons: [{ type: "URL", text: "Shop", url }] }];

/** Sets the components of the provider's only template and returns its id. */
async function hold(customer: Customer, components: Components): Promise<string> {
  const provider = providerHolds({ ...orderUpdate, category: "MARKETING", components });
  await customer.manage("POST", `/connections/${customer.connectionId}/sync-templates`);
  provider.mockRestore();
  return findExternalTemplate(customer, "sandbox_order_update");
}

/** A campaign to two people, scheduled a minute from now. */
async function scheduled(before: Components, fields: object = {}) {
  const customer = await new World().customer({ channel: "official" });
  const template_id = await hold(customer, before);
  await addPeople(customer, 2);
  const scheduled_at = new Date(Date.now() + 60_000).toISOString();
  const request = { template_id, channel: "official", scheduled_at, variables: [], ...fields };
  const { status, body: answer } = await startCampaign(customer, request);
  expect(status, JSON.stringify(answer)).toBe(201);
  return { customer, id: String(answer.campaign_id) };
}

describe("Changed templates", () => {
  const changes: [string, Components, object, Components][] = [
    ["a picture", [body], {}, header("IMAGE")],
    [
      "a place in place of a picture",
      header("IMAGE"),
      { header: { url: "https://example.com/a.png" } },
      header("LOCATION"),
    ],
    ["a variable", [body], {}, [{ type: "BODY", text: "Only {{1}}." }]],
    ["the value of a button", linked("https://example.com"), {}, linked("https://example.com/{{1}}")],
  ];

  it.each(changes)(
    "A scheduled campaign fails with the reason if its changed template now requires %s",
    async (_, before, fields, after) => {
      vi.spyOn(globalThis, "fetch").mockRejectedValue(new Error("Network connection lost."));
      const { customer, id } = await scheduled(before, fields);
      const send = vi.spyOn(sandbox, "send");
      await hold(customer, after);
      await customer.world.settle();
      expect(await campaign(customer, id)).toMatchObject({ status: "failed", last_error: "missing_variable" });
      expect(send).not.toHaveBeenCalled();
    },
  );

  it("A scheduled campaign fails if a contact field in its texts was deleted", async () => {
    const { customer, id } = await scheduled([body]);
    await customer.call("POST", `/campaigns/${id}/cancel`);
    const field = { field_key: "plan", label: "Plan", type: "text" };
    const { custom_field } = (await customer.call("POST", "/custom-fields", field)).body;
    const template_id = await hold(customer, [{ type: "BODY", text: "Only {{1}}." }]);
    const scheduled_at = new Date(Date.now() + 60_000).toISOString();
    const request = { template_id, channel: "official", scheduled_at, variables: ["{{plan}}"] };
    const { campaign_id } = (await startCampaign(customer, request)).body;
    await customer.call("DELETE", `/custom-fields/${custom_field.id}`);
    await customer.world.settle();
    expect(await campaign(customer, campaign_id)).toMatchObject({ status: "failed", last_error: "missing_variable" });
  });

  it("A scheduled campaign starts if its changed template requires no further values", async () => {
    const { customer, id } = await scheduled([{ type: "BODY", text: "Only {{1}}." }], { variables: ["{{phone}}"] });
    await hold(customer, [{ type: "BODY", text: "Now only {{1}}, this week." }]);
    await customer.world.settle();
    expect(await campaign(customer, id)).toMatchObject({ status: "completed", recipient_count: 2 });
    expect((await customer.outbox()).map(({ body: text }) => text)).toContainEqual(
      expect.stringMatching(/^Now only \+/),
    );
  });
});
