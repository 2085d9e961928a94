import type { CloudStandIn } from "./providers/cloud.ts";
import { linkedCustomer } from "./providers/linked.ts";
import { type Answer, type Customer, World } from "./world.ts";

const template = (name: string, category: string) => ({
  id: `10${name.length}`,
  name,
  language: "en",
  status: "APPROVED",
  category,
  components: [
    { type: "BODY", text: "Only this week." },
    { type: "FOOTER", text: "Not interested? Tap Stop promotions" },
    { type: "BUTTONS", buttons: [{ type: "QUICK_REPLY", text: "Stop promotions" }] },
  ],
});

export interface Shop {
  customer: Customer;
  promo: string;
  receipt: string;
}

export async function shop(cloud: CloudStandIn, world = new World()): Promise<Shop> {
  cloud.templates = [template("promo", "MARKETING"), template("receipt", "UTILITY")];
  const customer = await linkedCustomer(cloud, world);
  await customer.manage("POST", `/connections/${customer.connectionId}/sync-templates`);
  const { templates } = (await customer.call("GET", "/templates")).body;
  const idOf = (name: string) => templates.find((each: { name: string }) => each.name === name).id;
  return { customer, promo: idOf("promo"), receipt: idOf("receipt") };
}

export const wa = (phone: string) => phone.replace("+", "");

export function preference(
  cloud: CloudStandIn,
  phone: string,
  value: "stop" | "resume",
  at = Date.now(),
  more: object = {},
) {
  const change = {
    field: "user_preferences",
    value: {
      messaging_product: "whatsapp",
      metadata: { display_phone_number: "15550783881", phone_number_id: cloud.settings.phone_number_id },
      contacts: [{ profile: { name: "Sheena Nelson" }, wa_id: wa(phone) }],
      user_preferences: [
        {
          wa_id: wa(phone),
          detail: `User requested to ${value} marketing messages`,
          category: "marketing_messages",
          value,
          timestamp: Math.floor(at / 1000),
          ...more,
        },
      ],
    },
  };
  return cloud.deliver(change);
}

export const tap = (cloud: CloudStandIn, phone: string, text: string) =>
  cloud.deliver(cloud.message(phone, { type: "button", button: { payload: text, text } }));

export const contactOf = async (customer: Customer, phone: string): Promise<Answer["body"]> =>
  (await customer.call("GET", `/contacts?search=${encodeURIComponent(phone)}`)).body.contacts[0];

export const addContact = (customer: Customer, phone: string) =>
  customer.call("POST", "/contacts", { phone, name: "Ann" });
