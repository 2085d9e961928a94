import { beforeEach, describe, expect, it } from "vitest";
import { stopClock } from "../../support/clock.ts";
import { type Answer, type Customer, World } from "../../support/world.ts";

beforeEach(stopClock);

const config = {
  phone_number_id: "1055",
  business_account_id: "2066",
  access_token: "EAAG-access-token",
  app_secret: "an-app-secret",
};

const create = (customer: Customer, more: object, settings: object = {}): Promise<Answer> => {
  const body = { name: "A", channel: "official", provider: "whatsapp_cloud", config: { ...config, ...settings } };
  return customer.manage("POST", "/connections", { ...body, ...more });
};

const rateOf = ({ body }: Answer) => [body.connection.messages_per_second, body.connection.config.coexistence];

describe("Numbers shared with the WhatsApp Business app", () => {
  it("A number that the WhatsApp Business app also uses sends 20 messages per second, and other numbers send 80", async () => {
    const customer = await new World().customer();
    expect(rateOf(await create(customer, {}, { coexistence: true }))).toEqual([20, true]);
    expect(rateOf(await create(customer, {}, { coexistence: false }))).toEqual([80, false]);
    expect(rateOf(await create(customer, {}))).toEqual([80, undefined]);
  });

  it("A number that the WhatsApp Business app also uses sends at most 20 messages per second, even if a higher rate is set", async () => {
    const customer = await new World().customer();
    expect(rateOf(await create(customer, { messages_per_second: 100 }, { coexistence: true }))).toEqual([20, true]);
    const made = await create(customer, { messages_per_second: 5 }, { coexistence: true });
    expect(rateOf(made)).toEqual([5, true]);
    const at = `/connections/${made.body.connection.id}`;
    expect(rateOf(await customer.manage("PATCH", at, { messages_per_second: 80 }))).toEqual([20, true]);
  });

  it("The rate of a number changes when the WhatsApp Business app begins or stops using the number", async () => {
    const customer = await new World().customer();
    const at = `/connections/${(await create(customer, {})).body.connection.id}`;
    const change = async (body: object) => rateOf(await customer.manage("PATCH", at, body));
    expect(await change({ config: { coexistence: true } })).toEqual([20, true]);
    expect(await change({ name: "B" })).toEqual([20, true]);
    expect(await change({ config: { coexistence: false } })).toEqual([80, false]);
    expect(await change({ config: { coexistence: true }, messages_per_second: 10 })).toEqual([10, true]);
    expect(await change({ config: { coexistence: false } })).toEqual([10, false]);
  });

  it("Only WhatsApp Cloud connections have the setting for numbers that the WhatsApp Business app also uses", async () => {
    const customer = await new World().customer();
    expect((await create(customer, {}, { coexistence: "yes" })).body.error.details).toMatchObject([
      { path: "config.coexistence", code: "invalid_type" },
    ]);
    const sandbox = { provider: "sandbox", config: { coexistence: true } };
    expect((await create(customer, sandbox)).body.error.details).toMatchObject([
      { path: "config.coexistence", code: "unknown_field" },
    ]);
  });

  it("The console sets and displays whether the WhatsApp Business app also uses the number", async () => {
    const customer = await new World().customer();
    const admin = await customer.member("admin");
    const { id } = (await create(customer, {})).body.connection;
    const page = `/console/${customer.workspaceId}/settings/connections/${id}`;
    const save = async (coexistence: string) => {
      const form = { name: "A", messages_per_second: "80", "config.coexistence": coexistence };
      expect((await admin.post(page, form)).status).toBe(303);
      return rateOf(await customer.manage("GET", `/connections/${id}`));
    };
    expect(await save("true")).toEqual([20, true]);
    expect((await admin.get(page)).body).toMatch(/name="config\.coexistence"[^]*?<option value="true" selected/);
    expect(await save("false")).toEqual([80, false]);
  });
});
