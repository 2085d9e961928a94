import { beforeEach, describe, expect, it, vi } from "vitest";
import { sandbox } from "../../../../src/channels/sandbox/sandbox.ts";
import { stopClock } from "../../../support/clock.ts";
import { orderUpdate, providerHolds } from "../../../support/provider.ts";
import { onShard } from "../../../support/storage.ts";
import { createTemplate, findExternalTemplate, refusal, sendTemplate, textOf } from "../../../support/templates.ts";
import { phoneEnding, World } from "../../../support/world.ts";

beforeEach(stopClock);

describe("External templates", () => {
  it("An external template is sent with its name, language and values, outside the window and on every retry", async () => {
    const world = new World();
    const customer = await world.customer({ channel: "official" });
    const spy = vi.spyOn(sandbox, "send");
    const id = await findExternalTemplate(customer, "sandbox_order_update");
    const to = phoneEnding("0002");
    const { message_id } = (await sendTemplate(customer, id, { to, variables: ["1042", "Friday"] })).body;
    await customer.manage("POST", `/connections/${customer.connectionId}/sync-templates`);
    await world.settle();
    expect(spy).toHaveBeenCalledTimes(3);
    for (const [, message] of spy.mock.calls) {
      expect(message.template).toEqual({
        name: "sandbox_order_update",
        language: "en_US",
        header: [],
        body: [
          { name: null, text: "1042" },
          { name: null, text: "Friday" },
        ],
        buttons: [],
      });
      expect(message.body).toBe("Your order 1042 will arrive on Friday.");
    }
    expect(await customer.message(message_id)).toMatchObject({
      delivery: "read",
      template_id: id,
      body: "Your order 1042 will arrive on Friday.",
    });
    spy.mockRestore();
  });

  it("An external template is filled in with named variables and the contact's values", async () => {
    const customer = await new World().customer({ channel: "official" });
    const spy = vi.spyOn(sandbox, "send");
    const phone = phoneEnding("1234");
    await customer.call("POST", "/contacts", { phone, name: "Ada" });
    const id = await findExternalTemplate(customer, "sandbox_welcome");
    expect(await textOf(customer, id, { to: phone })).toBe("Welcome, Ada! We are glad to have you here.");
    expect(spy.mock.calls[0]?.[1].template?.body).toEqual([{ name: "name", text: "Ada" }]);
    spy.mockRestore();
  });

  it("The values of an external template's header, body and buttons can be sent as one list", async () => {
    const customer = await new World().customer({ channel: "official" });
    const spy = vi.spyOn(sandbox, "send");
    const id = await findExternalTemplate(customer, "sandbox_order_update");
    const components = [
      { type: "HEADER", format: "TEXT", text: "Order {{1}}" },
      { type: "BODY", text: "Hi {{1}}, it comes on {{2}}." },
      { type: "FOOTER", text: "Acme" },
      {
        type: "BUTTONS",
        buttons: [
          { type: "QUICK_REPLY", text: "Thanks" },
          { type: "URL", text: "Track", url: "https://example.com/{{1}}" },
          { type: "COPY_CODE", example: "SAVE" },
        ],
      },
    ];
    const provider = providerHolds({ ...orderUpdate, components });
    await customer.manage("POST", `/connections/${customer.connectionId}/sync-templates`);
    const { template } = (await customer.call("GET", `/templates/${id}`)).body;
    expect(template).toMatchObject({ body: "Hi {{1}}, it comes on {{2}}.", variables: ["1", "2", "3", "4", "5"] });
    const variables = ["Ada", "Friday", "1042", "t/1", "SAVE10"];
    expect(await textOf(customer, id, { to: phoneEnding("1234"), variables })).toBe("Hi Ada, it comes on Friday.");
    expect(spy.mock.calls[0]?.[1].template).toMatchObject({
      header: [{ name: null, text: "1042" }],
      body: [
        { name: null, text: "Ada" },
        { name: null, text: "Friday" },
      ],
      buttons: [
        { index: 1, kind: "url", text: "t/1" },
        { index: 2, kind: "copy_code", text: "SAVE10" },
      ],
    });
    spy.mockRestore();
    provider.mockRestore();
  });

  it("An external template is rejected until the provider approves it", async () => {
    const customer = await new World().customer({ channel: "official" });
    const to = phoneEnding("1234");
    for (const [name, status] of [
      ["sandbox_promo", "PENDING"],
      ["sandbox_blocked", "REJECTED"],
    ] as const) {
      const answer = sendTemplate(customer, await findExternalTemplate(customer, name), { to, variables: ["x"] });
      expect(await refusal(answer)).toEqual([422, "template_not_approved", { status }]);
    }
    expect((await customer.call("GET", "/contacts")).body.contacts).toEqual([]);
  });
});

describe("Templates that a connection cannot send", () => {
  it("A template is rejected on a connection that cannot send it", async () => {
    const world = new World();
    const customer = await world.customer({ channel: "official" });
    const to = phoneEnding("1234");
    const local = await createTemplate(customer, "Hello");
    expect(await refusal(sendTemplate(customer, local, { to }))).toEqual([422, "channel_mismatch", null]);
    const external = await findExternalTemplate(customer, "sandbox_order_update");
    for (const channel of ["official", "unofficial"]) {
      const other = { name: channel, channel, provider: "sandbox", config: {} };
      const { id } = (await customer.manage("POST", "/connections", other)).body.connection;
      const token = (await customer.manage("POST", "/api-keys", { name: "Other", connection_id: id })).body.key;
      const body = { to, variables: ["1", "2"] };
      const answer = customer.call("POST", `/templates/${external}/send`, body, { token });
      expect(await refusal(answer)).toEqual([422, "channel_mismatch", null]);
    }
  });

  it("A template is rejected if its connection is not active", async () => {
    const customer = await new World().customer();
    await onShard(customer, "UPDATE connections SET status = 'error' WHERE id = ?", customer.connectionId);
    const answer = sendTemplate(customer, await createTemplate(customer, "Hello"), { to: phoneEnding("1234") });
    expect(await refusal(answer)).toEqual([409, "invalid_state", { status: "error" }]);
  });
});
