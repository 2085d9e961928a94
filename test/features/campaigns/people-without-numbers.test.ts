import { beforeEach, describe, expect, it } from "vitest";
import { stopClock } from "../../support/clock.ts";
import { addPeople, campaign, campaignOf, differences, recipientsOf, started } from "../../support/campaigns.ts";
import {
  contactsOf,
  deliver,
  identityNotice,
  messageFrom,
  newUserId,
  statusOf,
} from "../../support/provider-events.ts";
import { onShard } from "../../support/storage.ts";
import { Customer, phoneEnding, World } from "../../support/world.ts";

beforeEach(stopClock);

const cloudConfig = (business_account_id: string) => ({
  phone_number_id: "1",
  business_account_id,
  access_token: "token",
  app_secret: "secret",
});

/** Adds a connection to the same workspace. */
async function connected(customer: Customer, provider: string, channel: string, config: object): Promise<Customer> {
  const { world, workspaceId } = customer;
  const { connection } = (await customer.manage("POST", "/connections", { name: provider, channel, provider, config }))
    .body;
  const key = (await customer.manage("POST", "/api-keys", { name: "Other", connection_id: connection.id })).body;
  return new Customer(world, workspaceId, connection.id, key.api_key.id, key.key);
}

/** Receives a message from a person without a number. */
async function writer(customer: Customer, text = "Hi", name = "Ann"): Promise<string> {
  const userId = newUserId();
  await deliver(customer, [messageFrom({ userId, name }, text)]);
  return userId;
}

const preview = async (customer: Customer) =>
  (await customer.call("POST", "/campaigns/preview", await campaignOf(customer, { body: "Hello" }))).body;

describe("People without a number", () => {
  it("A campaign reaches people without a number by the provider's user id, and statuses settle the messages", async () => {
    const customer = await new World().customer();
    await addPeople(customer, 3);
    const ids = [await writer(customer), await writer(customer, "Hello", "Ben")];
    const { recipient_count, excluded, samples } = await preview(customer);
    expect([recipient_count, excluded.no_phone, excluded.no_address]).toEqual([5, 0, 0]);
    expect(samples.map(({ phone }: { phone: string | null }) => phone === null)).toEqual([
      false,
      false,
      false,
      true,
      true,
    ]);
    const id = await started(customer, { body: "Hello" });
    await customer.world.settle();
    const outbox = await customer.outbox();
    expect(outbox).toHaveLength(5);
    expect(outbox.map(({ to }) => to)).toEqual(expect.arrayContaining(ids));
    expect(await campaign(customer, id)).toMatchObject({ status: "completed", counts: { read: 5, failed: 0 } });
    const recipients = await recipientsOf(customer, id);
    expect(recipients.slice(3)).toMatchObject([
      { phone: null, user_id: ids[0], state: "read" },
      { phone: null, user_id: ids[1], state: "read" },
    ]);
    expect(recipients[0]).toMatchObject({ phone: expect.stringContaining("+"), user_id: null });
    expect(await differences(customer, id)).toEqual({});
  });

  it("A campaign excludes people whom its connection cannot reach, with the reason", async () => {
    const customer = await new World().customer();
    const waha = await connected(customer, "waha", "unofficial", {
      base_url: "https://waha.example.com",
      session: "default",
      api_key: "k",
    });
    await writer(waha);
    await writer(customer);
    await customer.call("POST", "/contacts", { name: "Nobody", email: "nobody@example.com" });
    const { recipient_count, excluded } = await preview(customer);
    expect(recipient_count).toBe(1);
    expect(excluded).toMatchObject({ no_phone: 1, no_address: 1 });
    const id = await started(customer, { body: "Hello" });
    await customer.world.settle();
    expect(await campaign(customer, id)).toMatchObject({ recipient_count: 1, counts: { read: 1 } });
  });

  it("A campaign excludes people who are known only to another sandbox connection, because its user ids are separate", async () => {
    const customer = await new World().customer();
    const other = await connected(customer, "sandbox", "official", {});
    await writer(other);
    const [contact] = (await contactsOf(customer)).map(({ id }) => id);
    expect(await preview(customer)).toMatchObject({ recipient_count: 0, excluded: { no_phone: 0, no_address: 1 } });
    const send = (from: Customer) => from.call("POST", "/messages", { contact_id: contact, text: "Hi" });
    expect((await send(customer)).body.error).toMatchObject({ code: "unreachable", details: { contact_id: contact } });
    expect((await send(other)).status).toBe(202);
  });

  it("A campaign reaches people by WhatsApp user id only through connections of the same business account", async () => {
    const customer = await new World().customer();
    const [own, sister, other] = [
      await connected(customer, "whatsapp_cloud", "official", cloudConfig("100")),
      await connected(customer, "whatsapp_cloud", "official", { ...cloudConfig("100"), phone_number_id: "2" }),
      await connected(customer, "whatsapp_cloud", "official", { ...cloudConfig("200"), phone_number_id: "3" }),
    ];
    for (const one of [own, sister, other]) await writer(one);
    await onShard(
      customer,
      `INSERT INTO templates (id, workspace_id, name, body, status, source, connection_id, provider_id, language, category, parameters,
         components, variables, created_at, updated_at)
       VALUES ('tpl_own', ?, 'hello', 'Hello', 'APPROVED', 'external', ?, '1', 'en', 'UTILITY', 'positional', ?, '[]', 0, 0)`,
      customer.workspaceId,
      own.connectionId,
      JSON.stringify([{ type: "BODY", text: "Hello" }]),
    );
    const answer = await own.call("POST", "/campaigns/preview", { template_id: "tpl_own", channel: "official" });
    expect(answer.body).toMatchObject({ recipient_count: 2, excluded: { no_address: 1 } });
  });

  it("A campaign excludes a person without a number who wrote STOP, even if the person's user id changes afterwards", async () => {
    const customer = await new World().customer();
    const before = await writer(customer);
    await writer(customer);
    await deliver(customer, [messageFrom({ userId: before }, "STOP")]);
    const later = newUserId();
    await deliver(customer, [identityNotice({ userId: before }, { userId: later })]);
    const { recipient_count, excluded } = await preview(customer);
    expect([recipient_count, excluded.unsubscribed]).toEqual([1, 1]);
  });

  it("A campaign skips people without a number who opt out after the start", async () => {
    const customer = await new World().customer();
    const userId = await writer(customer);
    await addPeople(customer, 1);
    const id = await started(customer, { body: "Hello" });
    await customer.call("POST", `/campaigns/${id}/pause`);
    await customer.world.settle({ withinMs: 5000 });
    await deliver(customer, [messageFrom({ userId }, "STOP")]);
    await customer.call("POST", `/campaigns/${id}/resume`);
    await customer.world.settle();
    expect((await recipientsOf(customer, id)).map(({ state, reason }) => [state, reason])).toEqual([
      ["skipped", "unsubscribed"],
      ["read", null],
    ]);
  });

  it("If a person's user id changes during a campaign, the campaign sends to the new user id", async () => {
    const customer = await new World().customer();
    const before = await writer(customer);
    const id = await started(customer, { body: "Hello" });
    await customer.call("POST", `/campaigns/${id}/pause`);
    await customer.world.settle({ withinMs: 5000 });
    const now = newUserId();
    await deliver(customer, [identityNotice({ userId: before }, { userId: now })]);
    await customer.call("POST", `/campaigns/${id}/resume`);
    await customer.world.settle();
    expect(await customer.outbox()).toMatchObject([{ to: now }]);
    expect(await recipientsOf(customer, id)).toMatchObject([{ user_id: now, state: "read" }]);
  });

  it("If the user id and the number of one person are two recipients of a campaign, the person receives one message", async () => {
    const customer = await new World().customer();
    const userId = await writer(customer);
    const phone = phoneEnding("1234");
    await deliver(customer, [messageFrom({ phone, name: "Ann" }, "Hi")]);
    const id = await started(customer, { body: "Hello" });
    await customer.call("POST", `/campaigns/${id}/pause`);
    await customer.world.settle({ withinMs: 5000 });
    await deliver(customer, [messageFrom({ phone, userId }, "It is me")]);
    expect(await contactsOf(customer)).toHaveLength(1);
    await customer.call("POST", `/campaigns/${id}/resume`);
    await customer.world.settle();
    expect(await customer.outbox()).toMatchObject([{ to: phone }]);
    const ends = (await recipientsOf(customer, id)).map(({ state, reason }) => `${state} ${reason}`);
    expect(new Set(ends)).toEqual(new Set(["read null", "skipped duplicate"]));
    expect(await differences(customer, id)).toEqual({});
  });

  it("If a status of a campaign message contains a user id and a number, the number is stored on the person's contact", async () => {
    const customer = await new World().customer();
    const userId = await writer(customer);
    const id = await started(customer, { body: "Hello" });
    await customer.world.settle();
    const [{ message_id }] = await recipientsOf(customer, id);
    const phone = phoneEnding("1234");
    await deliver(customer, [statusOf(message_id, { userId, phone }, "read")]);
    expect(await contactsOf(customer)).toMatchObject([
      { phone, external_ids: [{ id: userId, connection_id: customer.connectionId }] },
    ]);
  });

  it("A campaign message fails if the person no longer has an address", async () => {
    const customer = await new World().customer();
    const userId = await writer(customer);
    const id = await started(customer, { body: "Hello" });
    await customer.call("POST", `/campaigns/${id}/pause`);
    await customer.world.settle({ withinMs: 5000 });
    await onShard(customer, "DELETE FROM contact_identities WHERE external_id = ?", userId);
    await customer.call("POST", `/campaigns/${id}/resume`);
    await customer.world.settle();
    expect(await recipientsOf(customer, id)).toMatchObject([{ state: "failed", reason: "unreachable" }]);
  });
});
