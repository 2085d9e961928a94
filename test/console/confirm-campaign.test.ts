import { beforeEach, describe, expect, it } from "vitest";
import { campaignsOf, formOf, office } from "../support/campaign-pages.ts";
import { addPeople, campaign, numberOf, recipientsOf, started } from "../support/campaigns.ts";
import { stopClock } from "../support/clock.ts";
import { textOf } from "../support/page-text.ts";
import { createTemplate } from "../support/templates.ts";

beforeEach(stopClock);

const CHANGED =
  "The campaign, its template or its segment has changed since you opened it. Nothing was sent. Review the changes, then confirm.";

/** Creates a draft for two people with the tag “A”. Two more people have the tag “B”. */
async function draftForA() {
  const here = await office({ people: 0, body: "Hi {{first_name|there}}" });
  const { customer, root } = here;
  for (const [index, tag] of ["A", "A", "B", "B"].entries())
    await customer.call("POST", "/contacts", { phone: numberOf(60 + index), name: "Ann", tags: [tag] });
  const first = await started(customer, { template_id: here.template, filter_tags: ["A"] });
  await here.world.settle();
  const { campaign_id: draft } = (await customer.call("POST", `/campaigns/${first}/duplicate`)).body.campaign;
  return { ...here, draft, at: `/campaigns/${draft}/start`, page: `${root}/campaigns/${draft}/start` };
}

describe("Campaigns that change during the confirmation", () => {
  it("A campaign needs a new confirmation after a colleague changes its template or audience", async () => {
    const { world, customer, admin, draft, at, page, post } = await draftForA();
    const shown = await admin.get(page);
    expect(textOf(shown)).toContain("Hi Ann");
    const other = await createTemplate(customer, "Good bye");
    const changes = { template_id: other, filter_tags: ["B"] };
    expect((await customer.call("PATCH", `/campaigns/${draft}`, changes)).status).toBe(200);
    const again = await post(at, formOf(shown, at));
    expect(again.status).toBe(409);
    expect(textOf(again)).toContain(CHANGED);
    expect(textOf(again)).toContain("Good bye");
    expect(await campaign(customer, draft)).toMatchObject({ status: "draft" });
    expect((await post(at, formOf(again, at))).status).toBe(303);
    await world.settle();
    const reached = (await recipientsOf(customer, draft)).map(({ phone }) => phone);
    expect(new Set(reached)).toEqual(new Set([numberOf(62), numberOf(63)]));
  });

  it("An unchanged campaign starts once, even if its form is sent twice", async () => {
    const { customer, admin, draft, at, page, post } = await draftForA();
    const shown = formOf(await admin.get(page), at);
    const answers = await Promise.all([post(at, shown), post(at, shown)]);
    expect(answers.map(({ status }) => status)).toEqual([303, 303]);
    expect(await campaign(customer, draft)).toMatchObject({ status: "running", recipient_count: 2 });
  });

  it("A new campaign needs a new confirmation after its template or segment changes", async () => {
    const { customer, order, template, post } = await office();
    await addPeople(customer, 1, 20);
    const filterOf = (value: string) => ({ match: "all", conditions: [{ field: "status", op: "ne", value }] });
    const made = await customer.call("POST", "/segments", { name: "People", filter: filterOf("hot") });
    const { id } = made.body.segment;
    const confirmed = "/campaigns/start";
    const preview = formOf(await post("/campaigns/preview", { ...order, segment_id: id }), confirmed);
    await customer.call("PATCH", `/templates/${template}`, { body: "Quite another text" });
    const reworded = await post(confirmed, preview);
    expect([reworded.status, textOf(reworded).includes(CHANGED)]).toEqual([409, true]);
    expect(textOf(reworded)).toContain("Quite another text");
    await customer.call("PATCH", `/segments/${id}`, { filter: filterOf("warm") });
    const elsewhere = await post(confirmed, formOf(reworded, confirmed));
    expect([elsewhere.status, textOf(elsewhere).includes(CHANGED)]).toEqual([409, true]);
    expect(await campaignsOf(customer)).toEqual([]);
    expect((await post(confirmed, formOf(elsewhere, confirmed))).status).toBe(303);
    expect(await campaignsOf(customer)).toMatchObject([{ recipient_count: 4 }]);
  });

  it("A campaign does not start if its number of recipients differs from the number that the member confirmed", async () => {
    const { customer, admin, draft, at, page, post } = await draftForA();
    const { fingerprint: _, ...rest } = formOf(await admin.get(page), at);
    expect((await post(at, rest)).status).toBe(409);
    expect(await campaign(customer, draft)).toMatchObject({ status: "draft" });
  });
});
