import { beforeEach, describe, expect, it, vi } from "vitest";
import { stopClock } from "../../support/clock.ts";
import { sandbox } from "../../../src/channels/sandbox/sandbox.ts";
import { addPeople, campaign, numberOf, startCampaign } from "../../support/campaigns.ts";
import { orderUpdate, providerHolds } from "../../support/provider.ts";
import { findExternalTemplate, refusal, sendTemplate, textOf } from "../../support/templates.ts";
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

/** Adds a template with these components at the provider of an official workspace. Returns its id. */
async function holding(components: Record<string, unknown>[]): Promise<{ customer: Customer; id: string }> {
  const customer = await new World().customer({ channel: "official" });
  return { customer, id: await resync(customer, components) };
}

async function resync(customer: Customer, components: Record<string, unknown>[]): Promise<string> {
  const provider = providerHolds({ ...orderUpdate, category: "MARKETING", components });
  await customer.manage("POST", `/connections/${customer.connectionId}/sync-templates`);
  provider.mockRestore();
  return findExternalTemplate(customer, "sandbox_order_update");
}

const official = (id: string, fields: object = {}) => ({
  template_id: id,
  channel: "official",
  variables: [],
  ...fields,
});

describe("Unsupported parts", () => {
  it.each([
    [
      ["limited_time_offer"],
      [body, { type: "LIMITED_TIME_OFFER", limited_time_offer: { text: "Ends soon", has_expiration: true } }],
      "a limited time offer",
    ],
    [["buttons.1.mpm"], withButton({ type: "MPM", text: "View items" }), "a value for a multi-product button"],
  ])(
    "A template with the unsupported part %s is listed as not sendable, and rejected at send, preview and start",
    async (missing, components, words) => {
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
    },
  );

  it("A scheduled campaign fails if its template has unsupported parts when the campaign should start", async () => {
    const { customer, id } = await holding([body]);
    const send = vi.spyOn(sandbox, "send");
    await addPeople(customer, 3);
    const scheduled_at = new Date(Date.now() + 60_000).toISOString();
    const { campaign_id } = (await startCampaign(customer, official(id, { scheduled_at }))).body;
    await resync(customer, withButton({ type: "MPM", text: "View items" }));
    await customer.world.settle();
    expect(await campaign(customer, campaign_id)).toMatchObject({
      status: "failed",
      last_error: "template_not_sendable",
    });
    expect(send).not.toHaveBeenCalled();
  });
});

const image = { type: "HEADER", format: "IMAGE", example: { header_handle: ["4::aW"] } };
const card = {
  components: [
    image,
    { type: "BODY", text: "Only {{1}} today." },
    {
      type: "BUTTONS",
      buttons: [
        { type: "QUICK_REPLY", text: "More" },
        { type: "URL", text: "Buy", url: "https://example.com/{{1}}" },
      ],
    },
  ],
};
const carousel = [body, { type: "CAROUSEL", cards: [card, card] }];

describe("Templates with values", () => {
  it.each([
    [["header.image"], header("IMAGE")],
    [["header.video"], header("VIDEO")],
    [["header.document"], header("DOCUMENT")],
    [["header.location"], header("LOCATION")],
    [
      [
        "cards.0.header.image",
        "cards.0.body.1",
        "cards.0.buttons.1",
        "cards.1.header.image",
        "cards.1.body.1",
        "cards.1.buttons.1",
      ],
      carousel,
    ],
  ])(
    "A template with the parts %s lists the required values, and is rejected without these values",
    async (missing, components) => {
      const { customer, id } = await holding(components);
      await addPeople(customer, 3);
      const { template } = (await customer.call("GET", `/templates/${id}`)).body;
      expect(template).toMatchObject({ sendable: true, missing, components });
      const refused = [422, "missing_variable", { variables: missing }];
      expect(await refusal(sendTemplate(customer, id, { to: phoneEnding("1234") }))).toEqual(refused);
      expect(await refusal(customer.call("POST", "/campaigns/preview", official(id)))).toEqual(refused);
      expect(await refusal(startCampaign(customer, official(id)))).toEqual(refused);
    },
  );

  it("A template is sent with a location in its header, and with values of quick replies and forms", async () => {
    const { customer, id } = await holding([
      ...header("LOCATION"),
      {
        type: "BUTTONS",
        buttons: [
          { type: "QUICK_REPLY", text: "More" },
          { type: "FLOW", text: "Book", flow_id: "1" },
        ],
      },
    ]);
    const send = vi.spyOn(sandbox, "send");
    const location = { latitude: 52.5, longitude: 13.4, name: "Shop" };
    const fields = { header: { location }, buttons: [{ index: 0, value: "more-1" }] };
    expect(await textOf(customer, id, { to: phoneEnding("1234"), ...fields })).toBe("Only this week.");
    expect(send.mock.calls[0]?.[1].template).toMatchObject({
      headerPart: { type: "location", ...location },
      buttons: [
        { index: 0, kind: "quick_reply", text: "more-1" },
        { index: 1, kind: "flow", text: "unused" },
      ],
      isMarketing: true,
    });
  });

  it("A template send rejects values that the template does not accept", async () => {
    const { customer, id } = await holding(header("LOCATION"));
    const faults = async (fields: object) => {
      const answer = await sendTemplate(customer, id, { to: phoneEnding("1234"), ...fields });
      return [answer.status, answer.body.error.details?.map(({ path }: { path: string }) => path) ?? answer.body.error];
    };
    const place = { location: { latitude: 1, longitude: 1 } };
    expect(await faults({ header: { media_id: "med_1" } })).toEqual([400, ["header"]]);
    expect(await faults({ header: place, buttons: [{ index: 0, value: "x" }] })).toEqual([400, ["buttons.0.index"]]);
    expect(await faults({ header: place, cards: [{}] })).toEqual([400, ["cards"]]);
    expect(await faults({ header: { ...place, text: "x" } })).toEqual([400, ["header.location"]]);
  });

  it("A template send rejects a file that the workspace does not have", async () => {
    const { customer, id } = await holding(header("IMAGE"));
    const order = { to: phoneEnding("1234"), header: { media_id: "med_unknown" } };
    expect((await sendTemplate(customer, id, order)).status).toBe(404);
    await addPeople(customer, 1);
    const started = await startCampaign(customer, official(id, { header: order.header }));
    expect(started.status).toBe(404);
  });

  it("A campaign's template header contains each recipient's own values", async () => {
    const { customer, id } = await holding(header("LOCATION"));
    await addPeople(customer, 2);
    const send = vi.spyOn(sandbox, "send");
    const parts = { header: { location: { latitude: 1, longitude: 2, name: "For {{name}}" } } };
    const { campaign_id } = (await startCampaign(customer, official(id, parts))).body;
    await customer.world.settle();
    expect(await campaign(customer, campaign_id)).toMatchObject({ status: "completed" });
    const names = send.mock.calls.map(([, message]) => message.template?.headerPart);
    expect(new Set(names.map((part) => JSON.stringify(part))).size).toBe(2);
  });

  it("Sending a template of another workspace returns 404", async () => {
    const { id } = await holding(header("IMAGE"));
    const stranger = await new World().customer({ channel: "official" });
    expect((await sendTemplate(stranger, id, { to: numberOf(1) })).status).toBe(404);
  });
});

describe("Buttons without values", () => {
  it("The button of a one-time password template uses the code from the text and needs no value of its own", async () => {
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

  it("A template can be sent without values for its quick-reply, call and link buttons", async () => {
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
