import { contextOf } from "./context.ts";
import { logEvents } from "./fill-log.ts";
import type { Customer } from "./world.ts";

export async function useEvents(customer: Customer): Promise<void> {
  const sent = (await customer.send("+14155550133")).body;
  await logEvents(await contextOf(customer), [
    { type: "message.queued", id: sent.message_id },
    { type: "contact.created", id: sent.contact_id },
    { type: "api_key.created", id: customer.keyId },
  ]);
  const { events } = (await customer.call("GET", "/events?types=message.*&limit=1")).body;
  await customer.call("GET", `/events?after=${events[0].id}`);
  await customer.call("GET", "/events?types=api_key.*");
  await customer.call("GET", "/events?after=now&wait=1");
  await customer.call("GET", `/events/${events[0].id}`);
}
