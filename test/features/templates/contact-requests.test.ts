import { describe, expect, it } from "vitest";
import { CloudStandIn } from "../../support/providers/cloud.ts";
import { linkedCustomer, playInEachTest, report } from "../../support/providers/linked.ts";
import { reviewOf, submitTemplate, syncTemplates, templatesOf } from "../../support/submissions.ts";
import { sendTemplate } from "../../support/templates.ts";
import { phoneEnding } from "../../support/world.ts";

let cloud: CloudStandIn;

playInEachTest(() => (cloud = new CloudStandIn()));

const components = [
  { type: "BODY", text: "May we call you back?" },
  { type: "BUTTONS", buttons: [{ type: "REQUEST_CONTACT_INFO", text: "Share Contact Info" }] },
];

describe("Contact card requests", () => {
  it("A template with a button that requests the person's contact card can be submitted, synced and sent without a value for it", async () => {
    const customer = await linkedCustomer(cloud);
    const answer = await submitTemplate(customer, { components });
    expect([answer.status, answer.body.template?.components]).toEqual([201, components]);
    expect(cloud.templates).toMatchObject([{ components }]);
    await report(customer, cloud.deliver(reviewOf("APPROVED")));
    cloud.templates = cloud.templates.map((held) => ({ ...held, status: "APPROVED" }));
    await syncTemplates(customer);
    const [template] = await templatesOf(customer);
    expect(template).toMatchObject({ components, sendable: true, missing: [], status: "APPROVED" });
    const to = phoneEnding("1234");
    const { message_id } = (await sendTemplate(customer, template.id, { to })).body;
    await customer.world.settle();
    expect(cloud.handed).toMatchObject([{ to, request: { template: { name: "order_update" } } }]);
    expect(await customer.message(message_id)).toMatchObject({ type: "template", body: "May we call you back?" });
  });

  it("A button that requests the person's contact card needs no label, and a template can have only one", async () => {
    const customer = await linkedCustomer(cloud);
    const button = { type: "request_contact_info" };
    const withButtons = (...buttons: object[]) =>
      submitTemplate(customer, { components: [components[0], { type: "BUTTONS", buttons }] });
    expect((await withButtons(button, button)).body.error.details).toMatchObject([
      { path: "components.1.buttons.1.type", code: "too_big" },
    ]);
    expect((await withButtons(button)).status).toBe(201);
  });
});
