import { beforeEach, describe, expect, it, vi } from "vitest";
import { stopClock } from "../../support/alarms.ts";
import { sandbox } from "../../../src/channels/sandbox/sandbox.ts";
import { addPeople, campaign, numberOf, startCampaign } from "../../support/campaigns.ts";
import { orderUpdate, providerHolds } from "../../support/provider.ts";
import { heldTemplate, refusal, sendTemplate, textOf } from "../../support/templates.ts";
import { type Customer, phoneEnding, World } from "../../support/world.ts";

beforeEach(() => {
  stopClock();
  vi.restoreAllMocks();
});

const body = { type: "BODY", text: "Only this week." };
const header = (format: string) => [{ type: "HEADER", format, example: { header_handle: ["4::aW"] } }, body];
const withButton = (button: object) => [
  body,
  { type: "BUTTONS", buttons: [{ type: "QUICK_REPLY", text: "More" }, button] },
];

/** An official workspace whose provider holds one template of these components; its id. */
async function holding(components: Record<string, unknown>[]): Promise<{ customer: Customer; id: string }> {
  const customer = await new World().customer({ channel: "official" });
  return { customer, id: await resync(customer, components) };
}

async function resync(customer: Customer, components: Record<string, unknown>[]): Promise<string> {
  const provider = providerHolds({ ...orderUpdate, category: "MARKETING", components });
  await customer.manage("POST", `/connections/${customer.connectionId}/sync-templates`);
  provider.mockRestore();
  return heldTemplate(customer, "sandbox_order_update");
}

const official = (id: string, fields: object = {}) => ({
  template_id: id,
  channel: "official",
  variables: [],
  ...fields,
});

describe("a template that needs more than text", () => {
  it.each([
    [["header.image"], header("IMAGE"), "an image in its header"],
    [["header.video"], header("VIDEO"), "a video in its header"],
    [["header.document"], header("DOCUMENT"), "a document in its header"],
    [["header.location"], header("LOCATION"), "a location in its header"],
    [["carousel"], [body, { type: "CAROUSEL", cards: [{ components: header("IMAGE") }] }], "a carousel"],
    [
      ["limited_time_offer"],
      [body, { type: "LIMITED_TIME_OFFER", limited_time_offer: { text: "Ends soon", has_expiration: true } }],
      "a limited time offer",
    ],
    [["buttons.1.mpm"], withButton({ type: "MPM", text: "View items" }), "a value for a multi-product button"],
    [["buttons.1.catalog"], withButton({ type: "CATALOG", text: "View catalog" }), "a value for a catalog button"],
    [["buttons.1.flow"], withButton({ type: "FLOW", text: "Book", flow_id: "1" }), "a value for a flow button"],
  ])("(%s) lists as not sendable, and is refused at send, preview and start", async (missing, components, words) => {
    const { customer, id } = await holding(components);
    const send = vi.spyOn(sandbox, "send");
    await addPeople(customer, 3);
    const { template } = (await customer.call("GET", `/templates/${id}`)).body;
    expect(template).toMatchObject({ status: "APPROVED", sendable: false, missing });
    expect((await customer.call("GET", "/templates")).body.templates).toEqual([template]);

    const refused = [422, "channel_mismatch", { missing }];
    expect(await refusal(sendTemplate(customer, id, { to: phoneEnding("1234") }))).toEqual(refused);
    const preview = await customer.call("POST", "/campaigns/preview", official(id));
    expect(preview.body.error.message).toContain(words);
    expect(await refusal(Promise.resolve(preview))).toEqual(refused);
    expect(await refusal(startCampaign(customer, official(id)))).toEqual(refused);
    await customer.world.settle();
    expect(send).not.toHaveBeenCalled();
    expect((await customer.call("GET", "/conversations")).body.conversations).toEqual([]);
  });

  it("is sendable again once the provider has changed it", async () => {
    const { customer, id } = await holding(header("IMAGE"));
    expect(await resync(customer, [{ type: "HEADER", format: "TEXT", text: "Sale" }, body])).toBe(id);
    const { template } = (await customer.call("GET", `/templates/${id}`)).body;
    expect(template).toMatchObject({ sendable: true, missing: [] });
    expect(await textOf(customer, id, { to: phoneEnding("1234") })).toBe("Only this week.");
  });

  it("fails a campaign that was scheduled with it before it did", async () => {
    const { customer, id } = await holding([body]);
    const send = vi.spyOn(sandbox, "send");
    await addPeople(customer, 3);
    const scheduled_at = new Date(Date.now() + 60_000).toISOString();
    const { campaign_id } = (await startCampaign(customer, official(id, { scheduled_at }))).body;
    await resync(customer, header("IMAGE"));
    await customer.world.settle();
    expect(await campaign(customer, campaign_id)).toMatchObject({
      status: "failed",
      last_error: "template_not_sendable",
    });
    expect(send).not.toHaveBeenCalled();
  });

  it("is not offered in the console, whose page says what it needs", async () => {
    const { customer, id } = await holding(header("IMAGE"));
    const to = phoneEnding("1234");
    await customer.receive(to, "Hi");
    const [{ id: conversation }] = (await customer.call("GET", "/conversations")).body.conversations;
    const admin = await customer.member("admin");
    const at = `/console/${customer.workspaceId}`;
    expect((await admin.get(`${at}/templates`)).body).toContain("Cannot be sent yet");
    const page = (await admin.get(`${at}/templates/${id}`)).body;
    expect(page).toContain("an image in its header");
    expect(page).not.toContain("Send the test");
    expect((await admin.get(`${at}/campaigns/new`)).body).not.toContain("sandbox_order_update");
    expect((await admin.get(`${at}/inbox/${conversation}?compose=template`)).body).not.toContain(
      "sandbox_order_update",
    );
  });

  it("of another workspace is unknown", async () => {
    const { id } = await holding(header("IMAGE"));
    const stranger = await new World().customer({ channel: "official" });
    expect((await sendTemplate(stranger, id, { to: numberOf(1) })).status).toBe(404);
  });
});

describe("a template with buttons that need text only", () => {
  it("is sendable, and gives a one-time password's button the code of its text", async () => {
    const { customer, id } = await holding([
      { type: "BODY", text: "{{1}} is your code." },
      { type: "BUTTONS", buttons: [{ type: "OTP", otp_type: "COPY_CODE", text: "Copy code" }] },
    ]);
    const send = vi.spyOn(sandbox, "send");
    expect((await customer.call("GET", `/templates/${id}`)).body.template).toMatchObject({ sendable: true });
    const variables = ["4711", "4711"];
    expect(await textOf(customer, id, { to: phoneEnding("1234"), variables })).toBe("4711 is your code.");
    expect(send.mock.calls[0]?.[1].template?.buttons).toEqual([{ index: 0, kind: "url", text: "4711" }]);
  });

  it("is sendable with quick replies, calls and links", async () => {
    const { customer, id } = await holding([
      body,
      {
        type: "BUTTONS",
        buttons: [
          { type: "QUICK_REPLY", text: "Stop promotions" },
          { type: "PHONE_NUMBER", text: "Call", phone_number: "+14155550100" },
          { type: "URL", text: "Shop", url: "https://example.com" },
        ],
      },
    ]);
    const { template } = (await customer.call("GET", `/templates/${id}`)).body;
    expect(template).toMatchObject({ sendable: true, missing: [], variables: [] });
  });
});
