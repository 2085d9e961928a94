import { beforeEach, describe, expect, it } from "vitest";
import { addPeople, campaign, customerWith, started } from "../../../support/campaigns.ts";
import { stopClock } from "../../../support/clock.ts";
import { draftOf } from "../../../support/drafts.ts";
import { onShard } from "../../../support/storage.ts";
import { createTemplate } from "../../../support/templates.ts";
import { type Answer, type Customer, World } from "../../../support/world.ts";
import { findExternalTemplate } from "../../../support/templates.ts";

beforeEach(stopClock);

const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();

/** What is stored of a campaign from before positions had to be sent. */
const forgetVariables = (customer: Customer, id: string) =>
  onShard(customer, "UPDATE campaigns SET variables = 'null' WHERE id = ?", id);

const missing = (names: string[], example: string) => ({
  status: 422,
  body: {
    error: { code: "missing_variable", details: { variables: names }, message: expect.stringContaining(example) },
  },
});

describe("A campaign fills positions from its variables alone", () => {
  it("and a start or a preview without them is refused with an example of what to send", async () => {
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

  it("and a draft or a scheduled campaign that lacks them is neither started, changed nor tested", async () => {
    const { customer } = await customerWith(1);
    const draft = await draftOf(customer, { variables: ["you"] });
    const scheduled = await started(customer, { variables: ["you"], scheduled_at: inAnHour() });
    for (const id of [draft, scheduled]) await forgetVariables(customer, id);
    const doors: Promise<Answer>[] = [
      customer.call("POST", `/campaigns/${draft}/start`),
      customer.call("POST", `/campaigns/${draft}/preview`),
      customer.call("PATCH", `/campaigns/${scheduled}`, { filter_status: "new" }),
      customer.call("POST", `/campaigns/${scheduled}/test`, { to: "+14155550142" }),
    ];
    for (const answer of await Promise.all(doors)) expect(answer).toMatchObject(missing(["1"], "{{name|there}}"));
  });

  it("and one that was scheduled without them fails with the reason when its time comes, and sends nothing", async () => {
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

it("A login code cannot go to a campaign, however it is asked for", async () => {
  const customer = await new World().customer({ channel: "official" });
  await addPeople(customer, 1);
  const template_id = await findExternalTemplate(customer, "sandbox_login_code");
  const request = { template_id, channel: "official", variables: ["1234"] };
  for (const path of ["/campaigns", "/campaigns/preview"])
    expect(await customer.call("POST", path, request)).toMatchObject({
      status: 422,
      body: { error: { code: "channel_mismatch" } },
    });
});
