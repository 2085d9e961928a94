import { beforeEach, describe, expect, it } from "vitest";
import { addPeople, campaign, customerWith, numberOf, recipientsOf, started } from "../../../support/campaigns.ts";
import { stopClock } from "../../../support/clock.ts";
import { draftOf, patch } from "../../../support/drafts.ts";
import { callTool } from "../../../support/mcp.ts";
import { onShard } from "../../../support/storage.ts";
import { createTemplate, findExternalTemplate } from "../../../support/templates.ts";
import { type Answer, type Customer, World } from "../../../support/world.ts";

beforeEach(stopClock);

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

/** Removes a campaign's variables, as if an earlier version had stored the campaign. */
const forgetVariables = (customer: Customer, id: string) =>
  onShard(customer, "UPDATE campaigns SET request = NULL, variables = 'null' WHERE id = ?", id);

const missing = (names: string[], example: string) => ({
  status: 422,
  body: {
    error: { code: "missing_variable", details: { variables: names }, message: expect.stringContaining(example) },
  },
});

describe("Positional variables", () => {
  it("A campaign start or preview without values for {{1}}, {{2}}, … is rejected, and the error shows an example", async () => {
    const { customer } = await customerWith(1);
    const request = {
      template_id: await createTemplate(customer, "Your order {{1}} has shipped"),
      channel: "unofficial",
    };
    const example = '"variables": ["{{name|there}}"]';
    for (const path of ["/campaigns", "/campaigns/preview"])
      expect(await customer.call("POST", path, request)).toMatchObject(missing(["1"], example));
    const two = { ...request, template_id: await createTemplate(customer, "{{1}} and {{2}}") };
    expect(await customer.call("POST", "/campaigns", two)).toMatchObject(
      missing(["1", "2"], '"variables": ["{{name|there}}","…"]'),
    );
    expect(await customer.call("POST", "/campaigns", { ...two, variables: ["one"] })).toMatchObject(
      missing(["2"], "…"),
    );
    expect((await customer.call("POST", "/campaigns", { ...two, variables: ["one", "two"] })).status).toBe(201);
  });

  it("A start, change or test of a stored campaign without values for {{1}}, {{2}}, … is rejected", async () => {
    const { customer } = await customerWith(1);
    const draft = await draftOf(customer, { variables: ["you"] });
    const scheduled = await started(customer, { variables: ["you"], scheduled_at: inAnHour() });
    for (const id of [draft, scheduled]) await forgetVariables(customer, id);
    const calls: Promise<Answer>[] = [
      customer.call("POST", `/campaigns/${draft}/start`),
      customer.call("POST", `/campaigns/${draft}/preview`),
      customer.call("PATCH", `/campaigns/${scheduled}`, { filter_status: "new" }),
      customer.call("POST", `/campaigns/${scheduled}/test`, { to: "+14155550142" }),
    ];
    for (const answer of await Promise.all(calls)) expect(answer).toMatchObject(missing(["1"], "{{name|there}}"));
  });

  it("A change to a campaign is rejected if {{1}}, {{2}}, … of its template would have no values", async () => {
    const { customer } = await customerWith(1);
    const template_id = await createTemplate(customer, "Your order {{1}} has shipped");
    const scheduled_at = inAnHour();
    for (const id of [await started(customer, { scheduled_at }), await draftOf(customer)])
      expect(await patch(customer, id, { template_id })).toMatchObject(missing(["1"], "{{name|there}}"));
    const filled = await started(customer, { scheduled_at, template_id, variables: ["42"] });
    expect(await patch(customer, filled, { variables: null })).toMatchObject(missing(["1"], "{{name|there}}"));
  });

  it("A tool call without values for a campaign's {{1}}, {{2}}, … returns an error that lists the missing values", async () => {
    const { customer } = await customerWith(1);
    const template_id = await createTemplate(customer, "Your order {{1}} has shipped");
    const request = { template_id, channel: "unofficial" };
    for (const [tool, more] of [
      ["campaigns_preview", {}],
      ["campaigns_start", { audience_token: "x" }],
    ] as const) {
      const { isError, answer } = await callTool(customer, tool, { ...request, ...more });
      expect({ isError, status: 422, body: answer }).toMatchObject({
        isError: true,
        ...missing(["1"], "{{name|there}}"),
      });
    }
  });

  it("A campaign text with an unknown contact field is rejected with the field's name", async () => {
    const { customer } = await customerWith(1);
    const template_id = await createTemplate(customer, "Your order {{1}} has shipped");
    const request = { template_id, channel: "unofficial", variables: ["{{order_number}}"] };
    expect(await customer.call("POST", "/campaigns", request)).toMatchObject(
      missing(["order_number"], "Contacts do not have the field order_number."),
    );
  });

  it("A running campaign of an earlier version skips its recipients if {{1}}, {{2}}, … have no values", async () => {
    const { world, customer } = await customerWith(2);
    const id = await started(customer, { variables: ["you"] });
    await forgetVariables(customer, id);
    await world.settle();
    expect(await recipientsOf(customer, id)).toMatchObject([
      { state: "skipped", reason: "missing_variable" },
      { state: "skipped", reason: "missing_variable" },
    ]);
    expect(await customer.outbox()).toEqual([]);
  });

  it("A campaign that was scheduled without values for {{1}}, {{2}}, … fails at its time and sends nothing", async () => {
    const { world, customer } = await customerWith(2);
    const id = await started(customer, { variables: ["you"], scheduled_at: inAnHour() });
    await forgetVariables(customer, id);
    world.advance(3_600_000);
    await world.cron();
    await world.settle();
    expect(await campaign(customer, id)).toMatchObject({ status: "failed", last_error: "missing_variable" });
    expect(await customer.outbox()).toEqual([]);
  });
});

describe("Login codes", () => {
  /** A workspace with one person, a template for login codes, and the template's connection. */
  async function withLoginCode() {
    const customer = await new World().customer({ channel: "official" });
    await addPeople(customer, 1);
    const template_id = await findExternalTemplate(customer, "sandbox_login_code");
    return { customer, template_id };
  }

  const mismatch = { status: 422, body: { error: { code: "channel_mismatch" } } };

  it("A start, preview or tool call for a campaign is rejected if its template is a login code, with or without variables", async () => {
    const { customer, template_id } = await withLoginCode();
    for (const more of [{}, { variables: ["1234"] }]) {
      const request = { template_id, channel: "official", ...more };
      for (const path of ["/campaigns", "/campaigns/preview"])
        expect(await customer.call("POST", path, request)).toMatchObject(mismatch);
      const { answer } = await callTool(customer, "campaigns_preview", request);
      expect(answer.error.code).toBe("channel_mismatch");
    }
  });

  it("A change, draft or test of a campaign is rejected if its template is a login code", async () => {
    const { customer, template_id } = await withLoginCode();
    const fields = { template_id: await findExternalTemplate(customer, "sandbox_order_update"), channel: "official" };
    const variables = ["1", "2"];
    const scheduled = await started(customer, { ...fields, variables, scheduled_at: inAnHour() });
    const draft = await draftOf(customer, { ...fields, variables });
    for (const id of [scheduled, draft])
      expect(await patch(customer, id, { template_id, variables: ["1234"] })).toMatchObject(mismatch);
    await onShard(
      customer,
      "UPDATE campaigns SET request = NULL, template_id = ? WHERE workspace_id = ?",
      template_id,
      customer.workspaceId,
    );
    await onShard(
      customer,
      `UPDATE campaigns SET request = NULL, variables = '{"1":"1234"}' WHERE workspace_id = ?`,
      customer.workspaceId,
    );
    const test = { to: numberOf(50) };
    expect(await customer.call("POST", `/campaigns/${draft}/start`)).toMatchObject(mismatch);
    expect(await customer.call("POST", `/campaigns/${draft}/preview`)).toMatchObject(mismatch);
    expect(await customer.call("POST", `/campaigns/${draft}/test`, test)).toMatchObject(mismatch);
    expect(await customer.call("POST", `/campaigns/${scheduled}/test`, test)).toMatchObject(mismatch);
  });

  it("A campaign with a login code that an earlier version scheduled fails with the reason and sends nothing", async () => {
    const { customer, template_id } = await withLoginCode();
    const order = await findExternalTemplate(customer, "sandbox_order_update");
    const fields = { template_id: order, channel: "official", variables: ["1", "2"], scheduled_at: inAnHour() };
    const id = await started(customer, fields);
    await onShard(customer, "UPDATE campaigns SET request = NULL, template_id = ? WHERE id = ?", template_id, id);
    customer.world.advance(3_600_000);
    await customer.world.cron();
    await customer.world.settle();
    expect(await campaign(customer, id)).toMatchObject({ status: "failed", last_error: "template_not_sendable" });
    expect(await customer.outbox()).toEqual([]);
  });
});
