import { describe, expect, it } from "vitest";
import type { OutboundMessage } from "../../src/channels/channel.ts";
import { whatsappCloud } from "../../src/channels/whatsapp-cloud/whatsapp-cloud.ts";
import { CloudStandIn } from "../support/providers/cloud.ts";
import {
  connectionOf,
  directIo,
  linkedCustomer,
  playInEachTest,
  report,
  transcript,
  UPSTREAM,
} from "../support/providers/linked.ts";
import { onShard } from "../support/storage.ts";
import { type Customer, phoneEnding } from "../support/world.ts";

let cloud: CloudStandIn;

playInEachTest(() => (cloud = new CloudStandIn()));

/** A customer to whom a person has just written, so that free text is allowed. */
async function inWindow(from = phoneEnding("1234")): Promise<{ customer: Customer; from: string }> {
  const customer = await linkedCustomer(cloud);
  await report(customer, cloud.inbound(from, "Hello?"));
  return { customer, from };
}

const sendRaw = (message: Partial<OutboundMessage>) =>
  whatsappCloud.send(connection, { id: "msg_1", to: "+14155550100", body: "Hi", attempt: 1, ...message }, directIo());

const connection = { id: "conn_1", config: new CloudStandIn().config(UPSTREAM) };

describe("Sends", () => {
  it("A Cloud API send matches Meta's reference, with our id as opaque data", async () => {
    const { customer, from } = await inWindow();
    const { message_id } = (await customer.send(from, "Grüße & <b>👋</b>")).body;
    expect(cloud.handed[0]?.request).toEqual({
      messaging_product: "whatsapp",
      recipient_type: "individual",
      to: from,
      type: "text",
      text: { preview_url: false, body: "Grüße & <b>👋</b>" },
      biz_opaque_callback_data: message_id,
    });
    expect(cloud.requests.at(-1)).toMatchObject({ method: "POST", path: "/v25.0/106540352242922/messages" });
    expect(cloud.requests.at(-1)?.headers.get("Content-Type")).toBe("application/json");
    expect((await customer.message(message_id)).provider_message_id).toBe(cloud.handed[0]?.providerMessageId);
  });

  it("A Cloud API send stores the person's WhatsApp id, so that messages from another spelling of the number join the contact", async () => {
    const { customer, from } = await inWindow();
    cloud.next(() =>
      Response.json({ messages: [{ id: "wamid.1" }], contacts: [{ input: from, wa_id: "390612345678" }] }),
    );
    const { contact_id } = (await customer.send(from)).body;
    customer.world.advance(5);
    await report(customer, cloud.inbound("+390612345678", "It's me"));
    const { contact } = (await customer.call("GET", `/contacts/${contact_id}`)).body;
    expect(contact.external_ids).toEqual([
      { provider: "whatsapp_cloud", id: "390612345678", connection_id: customer.connectionId, username: null },
    ]);
    expect(await transcript(customer)).toMatchObject([{ contact: { id: contact_id }, last_message: "It's me" }]);
  });

  it("A Cloud API template is sent with its values by position or by name", async () => {
    await sendRaw({
      template: {
        name: "order_update",
        language: "pt_BR",
        header: [],
        body: [
          { name: null, text: "Ann" },
          { name: null, text: "{{1}} $&" },
        ],
        buttons: [
          { index: 0, kind: "url", text: "track/1" },
          { index: 1, kind: "copy_code", text: "SAVE10" },
        ],
      },
    });
    const values = [{ name: "first_name", text: "Ann" }];
    await sendRaw({ template: { name: "welcome", language: "en", header: values, body: values, buttons: [] } });
    await sendRaw({ template: { name: "hello_world", language: "en_US", header: [], body: [], buttons: [] } });
    expect(cloud.handed.map(({ request }) => [request.type, request.recipient_type, request.template])).toEqual([
      [
        "template",
        "individual",
        {
          name: "order_update",
          language: { policy: "deterministic", code: "pt_BR" },
          components: [
            {
              type: "body",
              parameters: [
                { type: "text", text: "Ann" },
                { type: "text", text: "{{1}} $&" },
              ],
            },
            { type: "button", sub_type: "url", index: "0", parameters: [{ type: "text", text: "track/1" }] },
            {
              type: "button",
              sub_type: "copy_code",
              index: "1",
              parameters: [{ type: "coupon_code", coupon_code: "SAVE10" }],
            },
          ],
        },
      ],
      [
        "template",
        "individual",
        {
          name: "welcome",
          language: { policy: "deterministic", code: "en" },
          components: ["header", "body"].map((type) => ({
            type,
            parameters: [{ type: "text", parameter_name: "first_name", text: "Ann" }],
          })),
        },
      ],
      ["template", "individual", { name: "hello_world", language: { policy: "deterministic", code: "en_US" } }],
    ]);
  });
});

describe("Expired tokens", () => {
  it("If a Cloud API token expires, the message fails, and the connection is disabled with a reason until a new token is set", async () => {
    const { customer, from } = await inWindow();
    cloud.next(cloud.failures.expired);
    const { message_id } = (await customer.send(from)).body;
    expect(await customer.message(message_id)).toMatchObject({
      delivery: "failed",
      error: { code: "account_blocked", provider_code: "190" },
    });
    expect(await connectionOf(customer)).toMatchObject({
      status: "error",
      status_detail: expect.stringContaining("Session has expired"),
    });
    expect((await customer.send(from)).body.error).toMatchObject({
      code: "invalid_state",
      details: { status: "error" },
    });
    const { access_token } = cloud.settings;
    const changed = await customer.manage("PATCH", `/connections/${customer.connectionId}`, {
      config: { access_token },
    });
    expect(changed.body.connection).toMatchObject({ status: "active", status_detail: null });
    expect((await customer.send(from)).status).toBe(202);
  });

  it("An expired Cloud API token appears in a connection test with the provider's text", async () => {
    const customer = await linkedCustomer(cloud, undefined, { access_token: "an expired one" });
    const test = () => customer.manage("POST", `/connections/${customer.connectionId}/test`);
    expect(await test()).toMatchObject({
      status: 502,
      body: {
        error: {
          code: "provider_error",
          details: { provider: "whatsapp_cloud", provider_code: "190", detail: "(#190) Invalid OAuth access token" },
        },
      },
    });
    expect(await connectionOf(customer)).toMatchObject({ status: "error" });
    const { access_token } = cloud.settings;
    await customer.manage("PATCH", `/connections/${customer.connectionId}`, { config: { access_token } });
    expect((await test()).body).toMatchObject({
      ok: true,
      detail: "+1 555 078 3881 (Acme) is reachable; quality GREEN.",
    });
  });
});

describe("Template lists", () => {
  it("The templates of a Cloud API account are read page by page, only from the connection's own address", async () => {
    const body = { type: "BODY", text: "Hi {{1}}" };
    const one = (id: number, more: object) => ({
      id: String(id),
      name: `t${id}`,
      language: "en",
      status: "APPROVED",
      category: "UTILITY",
      components: [body],
      ...more,
    });
    const statuses = ["APPROVED", "PENDING", "PAUSED", "DISABLED", "IN_APPEAL", "REJECTED", "UNHEARD_OF"];
    cloud.templates = statuses.map((status, id) =>
      one(id, { status, parameter_format: id === 1 ? "NAMED" : "POSITIONAL", rejected_reason: "NONE" }),
    );
    const quality_score = { score: "YELLOW", date: 1_744_843_200 };
    cloud.templates[5] = one(5, { status: "REJECTED", quality_score, rejected_reason: "INVALID_FORMAT" });
    const { templates } = (await whatsappCloud.syncTemplates?.(connection, directIo())) ?? {};
    expect(templates?.map(({ status }) => status)).toEqual([
      "APPROVED",
      "PENDING",
      "REJECTED",
      "REJECTED",
      "PENDING",
      "REJECTED",
      "PENDING",
    ]);
    expect(templates?.[1]).toEqual({
      providerId: "1",
      name: "t1",
      language: "en",
      category: "UTILITY",
      status: "PENDING",
      parameters: "named",
      components: [body],
      quality: null,
      rejectionReason: null,
    });
    expect(templates?.[5]).toMatchObject({ quality: "YELLOW", rejectionReason: "INVALID_FORMAT" });
    expect(cloud.requests).toHaveLength(4);
  });
});

describe("Statuses", () => {
  it("A Cloud API status without our id is matched by the provider's id, even if it arrives before the response to the send", async () => {
    const { customer, from } = await inWindow();
    cloud.next(() => Response.json({ messages: [{ id: "wamid.early" }], contacts: [] }));
    const early = { providerMessageId: "wamid.early", to: from, request: null };
    await report(customer, cloud.deliver(cloud.messages({ statuses: [cloud.statusOf(early, null, "delivered")] })));
    const { message_id } = (await customer.send(from)).body;
    expect(await customer.message(message_id)).toMatchObject({
      delivery: "delivered",
      delivered_at: expect.any(String),
    });
    await report(customer, cloud.deliver(cloud.messages({ statuses: [cloud.statusOf(early, null, "read")] })));
    expect((await customer.message(message_id)).delivery).toBe("read");
    expect(
      await onShard(customer, "SELECT * FROM early_statuses WHERE workspace_id = ?", customer.workspaceId),
    ).toEqual([]);
  });

  it("If the response to a Cloud API send was lost, a later status sets the state of the message", async () => {
    const { customer, from } = await inWindow();
    cloud.loseNext();
    const { message_id } = (await customer.send(from)).body;
    expect((await customer.message(message_id)).delivery).toBe("unknown");
    const [handed] = cloud.handed;
    if (handed === undefined) throw new Error("Nothing was handed over.");
    await report(customer, cloud.status(handed, message_id, "sent"));
    expect(await customer.message(message_id)).toMatchObject({
      delivery: "sent",
      provider_message_id: handed.providerMessageId,
    });
  });
});
