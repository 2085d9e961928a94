import { conversationsOf, deliver, identityNotice, messageFrom, ownMessageTo, statusOf } from "./provider-events.ts";
import type { Customer } from "./world.ts";

/**
 * Delivers events which show that several contacts are one person. A notice then says that this person has a new
 * number, and a late message arrives from the old number.
 */
export async function useIdentities(customer: Customer): Promise<void> {
  const [phone, other] = ["+14155550102", "+14155550103"];
  await deliver(customer, [messageFrom({ phone, name: "Ann" }, "Hi"), messageFrom({ userId: "US.1" }, "Hi")]);
  const conversation = (await conversationsOf(customer)).find(({ contact }) => contact.phone === phone);
  const { message_id } = (await customer.call("POST", `/conversations/${conversation.id}/messages`, { text: "Hi" }))
    .body;
  await deliver(customer, [statusOf(message_id, { userId: "US.1", phone })]);
  await deliver(customer, [messageFrom({ userId: "US.2" }, "STOP"), ownMessageTo({ phone, userId: "US.2" }, "Hello")]);
  await deliver(customer, [messageFrom({ phone: other }, "START")]);
  await deliver(customer, [identityNotice({ phone, userId: "US.1" }, { phone: other, userId: "US.3" })]);
  await deliver(customer, [messageFrom({ phone }, "before that", Date.now() - 60_000)]);
  await customer.world.cron();
}
