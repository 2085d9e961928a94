import { beforeEach, describe, expect, it, vi } from "vitest";
import { sandbox } from "../../../../src/channels/sandbox/sandbox.ts";
import { stopClock } from "../../../support/clock.ts";
import { deliver, messageFrom, strangers } from "../../../support/provider-events.ts";
import { onShard } from "../../../support/storage.ts";
import { refusal } from "../../../support/templates.ts";
import { whatsappCloud } from "../../../../src/channels/whatsapp-cloud/whatsapp-cloud.ts";
import { type Answer, type Customer, phoneEnding, World } from "../../../support/world.ts";

beforeEach(stopClock);

const faultsOf = async (answer: Promise<Answer>): Promise<string[]> => {
  const { status, body } = await answer;
  expect(status).toBe(400);
  return body.error.details.map(({ path, code }: { path: string; code: string }) => `${path} ${code}`);
};

/** Returns the message that the channel received last. */
const lastSent = (spy: { mock: { calls: Parameters<typeof sandbox.send>[] } }) => spy.mock.calls.at(-1)?.[1];

describe("Messages to contacts", () => {
  it("A message to a contact is sent to the contact's number, or to the contact's user id if there is no number", async () => {
    const world = new World();
    const customer = await world.customer();
    const spy = vi.spyOn(sandbox, "send");
    const phone = phoneEnding("1234");
    const { contact } = (await customer.call("POST", "/contacts", { phone })).body;
    expect((await customer.call("POST", "/messages", { contact_id: contact.id, text: "Hi" })).body.contact_id).toBe(
      contact.id,
    );
    expect(lastSent(spy)?.to).toBe(phone);
    await customer.receive("ada-without-number", "Hello");
    const [{ id }] = (await customer.call("GET", "/contacts")).body.contacts;
    const sent = (await customer.call("POST", "/messages", { contact_id: id, text: "Hi" })).body;
    expect(lastSent(spy)?.to).toBe("ada-without-number");
    expect(await customer.message(sent.message_id)).toMatchObject({ to: null, contact_id: id });
    const local = (await customer.call("POST", "/templates", { name: "T", body: "Hi {{name|you}}" })).body.template.id;
    const byTemplate = await customer.call("POST", `/templates/${local}/send`, { user_id: "ada-without-number" });
    expect(byTemplate.body.contact_id).toBe(id);
    spy.mockRestore();
  });

  it("A message to a contact uses only the user id that belongs to the connection's business account", async () => {
    const customer = await new World().customer();
    const spy = vi.spyOn(sandbox, "send");
    await customer.receive("user-of-one-account", "Hello");
    const [{ id }] = (await customer.call("GET", "/contacts")).body.contacts;
    const [conversation] = (await customer.call("GET", "/conversations")).body.conversations;
    const account = (business: string, connectionId: string) =>
      onShard(
        customer,
        `UPDATE connections SET config = json_object('business_account_id', ?) WHERE id = ?`,
        business,
        connectionId,
      );
    const sandboxed = { name: "Other", channel: "unofficial", provider: "sandbox", config: {} };
    const other = (await customer.manage("POST", "/connections", sandboxed)).body.connection.id;
    const key = (await customer.manage("POST", "/api-keys", { name: "Other", connection_id: other })).body.key;
    const sendElsewhere = () => customer.call("POST", "/messages", { contact_id: id, text: "Hi" }, { token: key });
    await account("waba_1", customer.connectionId);
    await account("waba_2", other);
    expect(await refusal(sendElsewhere())).toEqual([422, "unreachable", { contact_id: id }]);
    await account("waba_1", other);
    expect((await sendElsewhere()).status).toBe(202);
    expect(lastSent(spy)?.to).toBe("user-of-one-account");
    // A reply goes to the address from which the person wrote.
    const reply = await customer.call("POST", `/conversations/${conversation.id}/messages`, { text: "Hi" });
    expect(reply.status).toBe(202);
    // An id that two contacts have is not used before they are merged.
    await onShard(
      customer,
      "UPDATE contact_identities SET claimed_by = contact_seq WHERE external_id = 'user-of-one-account'",
    );
    expect(await refusal(sendElsewhere())).toEqual([422, "unreachable", { contact_id: id }]);
    spy.mockRestore();
  });

  it("A message to a contact without an address is rejected, and a message to an unknown contact is not found", async () => {
    const world = new World();
    const customer = await world.customer();
    const stranger = await world.customer();
    const { contact } = (await customer.call("POST", "/contacts", { email: "a@example.com" })).body;
    const send = (who: Customer, body: object) => refusal(who.call("POST", "/messages", { ...body, text: "Hi" }));
    const details = { contact_id: contact.id };
    expect(await send(customer, { contact_id: contact.id })).toEqual([422, "unreachable", details]);
    expect(await send(stranger, { contact_id: contact.id })).toEqual([404, "not_found", null]);
    expect(await send(customer, { contact_id: "ct_unknown" })).toEqual([404, "not_found", null]);
    const { id } = (await customer.call("POST", "/templates", { name: "T", body: "Hi" })).body.template;
    const byTemplate = customer.call("POST", `/templates/${id}/send`, { contact_id: "ct_unknown" });
    expect(await refusal(byTemplate)).toEqual([404, "not_found", null]);
  });

  it("A message to a removed contact is rejected with the id of the contact that it was merged into", async () => {
    const customer = await new World().customer();
    const { phone, userId, numbered, nameless } = await strangers(customer);
    await deliver(customer, [messageFrom({ phone, userId }, "both")]);
    const { id } = (await customer.call("POST", "/templates", { name: "T", body: "Hi" })).body.template;
    const details = { merged_into: numbered.id };
    for (const [path, body] of [
      ["/messages", { text: "Hi" }],
      [`/templates/${id}/send`, {}],
    ] as const) {
      const send = (contact_id: string) => customer.call("POST", path, { contact_id, ...body });
      expect(await refusal(send(nameless.id))).toEqual([404, "not_found", details]);
      expect((await send(numbered.id)).body).toMatchObject({ success: true, contact_id: numbered.id });
    }
  });
});

describe("Messages to provider's ids", () => {
  it("A template to a user id is filled in with the new contact's values, like a template to a number", async () => {
    const customer = await new World().customer();
    const spy = vi.spyOn(sandbox, "send");
    const body = "{{status|none}}, {{lifecycle_stage|none}}, {{phone|none}}";
    const { id } = (await customer.call("POST", "/templates", { name: "T", body })).body.template;
    const phone = phoneEnding("4321");
    await customer.call("POST", `/templates/${id}/send`, { to: phone });
    const [byNumber] = [lastSent(spy)?.body];
    await customer.call("POST", `/templates/${id}/send`, { user_id: "somebody-new" });
    expect(byNumber).not.toContain("none");
    expect(lastSent(spy)?.body).toBe(byNumber?.replace(phone, "none"));
    spy.mockRestore();
  });

  it("Messages to a new user id create one contact, and a message is rejected if the id's format does not fit the provider", async () => {
    const world = new World();
    const customer = await world.customer();
    const send = () => customer.call("POST", "/messages", { user_id: "somebody-new", text: "Hi" });
    const answers = await Promise.all([send(), send(), send()]);
    expect(new Set(answers.map(({ body }) => body.contact_id)).size).toBe(1);
    const { contact } = (await customer.call("GET", `/contacts/${answers[0]?.body.contact_id}`)).body;
    expect(contact).toMatchObject({ phone: null, external_ids: [{ provider: "sandbox", id: "somebody-new" }] });
    const { events } = (await customer.call("GET", "/events?types=contact.created")).body;
    expect(events).toMatchObject([{ changes: { external_ids: [null, [{ id: "somebody-new" }]] } }]);
    await onShard(customer, "UPDATE connections SET provider = 'whatsapp_cloud' WHERE id = ?", customer.connectionId);
    const other = customer.call("POST", "/messages", { user_id: "somebody else", text: "Hi" });
    expect(await faultsOf(other)).toEqual(["user_id invalid_format"]);
    const spy = vi.spyOn(whatsappCloud, "send").mockResolvedValue({ kind: "accepted", providerMessageId: "wamid.1" });
    expect((await customer.call("POST", "/messages", { user_id: "US.1234567890", text: "Hi" })).status).toBe(202);
    spy.mockRestore();
  });

  it("A message to a user id is rejected if the id is a phone number, because it would bypass the number's opt-out", async () => {
    const customer = await new World().customer();
    await customer.call("POST", "/contacts", { phone: "+2290197555001" });
    const sent = customer.call("POST", "/messages", { user_id: "22997555001", text: "Hi" });
    expect(await faultsOf(sent)).toEqual(["user_id invalid_format"]);
  });
});
