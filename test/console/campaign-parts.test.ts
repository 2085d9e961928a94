import { beforeEach, describe, expect, it, vi } from "vitest";
import { sandbox } from "../../src/channels/sandbox/sandbox.ts";
import { stopClock } from "../support/clock.ts";
import { campaignsOf, faultOf, formOf } from "../support/campaign-pages.ts";
import { addPeople } from "../support/campaigns.ts";
import { carousel, filled, holding, lastSent, picture, promotion, video } from "../support/template-forms.ts";
import { textOf } from "../support/page-text.ts";
import { phoneEnding } from "../support/world.ts";

beforeEach(() => {
  stopClock();
  vi.restoreAllMocks();
});

async function office(components: Record<string, unknown>[]) {
  const { customer, template } = await holding(components);
  await addPeople(customer, 2);
  const admin = await customer.member("admin");
  const root = `/console/${customer.workspaceId}`;
  const order = { template_id: template, channel: `official ${customer.connectionId}`, when: "now" };
  const post = (path: string, fields: Record<string, string> = {}) => admin.post(root + path, fields);
  vi.spyOn(sandbox, "send");
  return { customer, admin, order, post };
}

describe("Campaigns of templates with parts", () => {
  it("The parts of a template can be filled in, previewed and sent in a campaign form, and the campaign page shows them with the cost", async () => {
    const { customer, admin, order, post } = await office(promotion);
    const form = await post("/campaigns/new", order);
    for (const field of ["header.media_id", "variables.2", "variables.3", "buttons.0"])
      expect(form.body).toContain(`name="${field}"`);
    const { id } = await picture(customer);
    const values = {
      ...filled,
      "variables.1": "{{first_name|you}}",
      "header.media_id": id,
      "buttons.0": "more-{{name}}",
    };
    const preview = await post("/campaigns/preview", { ...order, ...values });
    expect(preview.status).toBe(200);
    expect(preview.body).toContain(`src="/console/media/${id}"`);
    const origin = formOf(preview, "/campaigns/start");
    expect(origin).toMatchObject({ "header.media_id": id, "buttons.0": "more-{{name}}", "variables.2": "spring" });
    const again = await post("/campaigns/new", formOf(preview, "/campaigns/new"));
    expect(again.body).toContain(`name="header.media_id" value="${id}"`);
    const { headers } = await post("/campaigns/start", origin);
    await customer.world.settle();
    expect(await campaignsOf(customer)).toMatchObject([{ status: "completed", recipient_count: 2 }]);
    const payloads = vi.mocked(sandbox.send).mock.calls.map(([, { template }]) => template?.buttons[0]?.text);
    expect(new Set(payloads).size).toBe(2);
    expect(lastSent()).toMatchObject({ headerPart: { type: "image", media_id: id } });
    const detail = await admin.get(headers.get("Location") ?? "");
    expect(detail.body).toContain(`src="/console/media/${id}"`);
    expect(textOf(detail)).toContain("Button “More” more-{{name}}");
    expect(textOf(detail)).toContain("Marketing 2 billed messages, 0 free");
    expect((await customer.call("DELETE", `/templates/${order.template_id}`)).status).toBe(200);
    const later = await admin.get(headers.get("Location") ?? "");
    expect(textOf(later)).toContain("Template It has since been deleted.");
    expect(later.body).toContain(`src="/console/media/${id}"`);
    expect(textOf(later)).toContain("Button 1 more-{{name}}");
  });

  it("A campaign form shows errors next to the fields of template parts and keeps the input", async () => {
    const { customer, order, post } = await office(carousel);
    const film = await video(customer);
    const refused = await post("/campaigns/preview", {
      ...order,
      "variables.1": "you",
      "cards.0.header.media_id": film.id,
      "cards.0.variables.1": "5 €",
      "cards.0.buttons.0": "tea",
      "cards.1.header.media_id": "",
      "cards.1.variables.1": "",
    });
    expect(refused.status).toBe(400);
    expect(refused.body).toMatch(
      /id="file--cards-0-header-media_id-fault"[^>]*>This file type isn&#39;t supported here/,
    );
    expect(refused.body).toContain('value="tea"');
    const { id } = await picture(customer);
    const numbered = await post("/campaigns/preview", {
      ...order,
      "variables.1": "you",
      "cards.0.header.media_id": id,
      "cards.0.variables.1": "{{1}}",
      "cards.0.buttons.0": "{{broken",
      "cards.1.header.media_id": id,
      "cards.1.variables.1": "7 €",
      "cards.1.buttons.0": "x",
    });
    expect(numbered.status).toBe(400);
    expect(faultOf(numbered, "cards-0-variables-1")).toContain("only named variables");
    expect(faultOf(numbered, "cards-0-buttons-0")).toContain("is not closed by }}");
    expect(await campaignsOf(customer)).toEqual([]);
  });
});

describe("Tests of templates with parts", () => {
  it("A test message of a campaign contains the values of the template's parts", async () => {
    const { customer, template } = await holding(promotion);
    const admin = await customer.member("admin");
    const root = `/console/${customer.workspaceId}/templates/${template}`;
    expect((await admin.get(root)).body).toContain('name="header.media_id"');
    const { id } = await picture(customer);
    const order = { connection_id: customer.connectionId, to: phoneEnding("0100"), ...filled };
    const refused = await admin.post(`${root}/send`, order);
    expect(refused.status).toBe(422);
    expect(refused.body).toMatch(/id="file--header-media_id-fault"[^>]*>Choose a file\./);
    expect((await admin.post(`${root}/send`, { ...order, "header.media_id": id })).status).toBe(303);
    expect(await customer.outbox()).toMatchObject([{ type: "template" }]);
    const preview = await admin.post(`${root}/preview`, { "variables.1": "Ada", "header.media_id": id });
    expect(textOf(preview)).toContain("Only this week, Ada .");
  });

  it("Sending a test of another workspace's campaign returns 404", async () => {
    const { template } = await holding(promotion);
    const mine = await holding(promotion);
    const owner = await mine.customer.member("owner");
    const path = `/console/${mine.customer.workspaceId}/templates/${template}/preview`;
    expect((await owner.post(path, {})).status).toBe(303);
  });
});
