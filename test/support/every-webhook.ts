import { once } from "./every-call.ts";
import { Receiver, tellOf } from "./receiver.ts";
import type { Customer } from "./world.ts";

export async function useWebhooks(customer: Customer): Promise<void> {
  const { world } = customer;
  const receiver = new Receiver();
  const settings = { url: receiver.url, types: ["*"], connection_ids: [customer.connectionId] };
  const message = (await customer.send("+14155550134")).body.message_id;
  const { webhook } = (await customer.call("POST", "/webhooks", settings, once())).body;
  await customer.call("POST", "/webhooks", { ...settings, types: ["contact.created"] });
  const path = `/webhooks/${webhook.id}`;
  await customer.call("GET", path);
  const { next_cursor: cursor } = (await customer.call("GET", "/webhooks?limit=1")).body;
  await customer.call("GET", `/webhooks?limit=1&cursor=${cursor}`);
  await customer.call("PATCH", path, { description: "Hooks", batch: { max_events: 2, max_wait_seconds: 1 } }, once());
  await customer.call("PATCH", path, { batch: null });
  await customer.call("POST", `${path}/rotate-secret`, {}, once());
  await customer.call("POST", `${path}/rotate-secret`, {});
  receiver.answer = () => new Response("", { status: 500 });
  await customer.call("POST", `${path}/test`, undefined, once());
  await tellOf(customer, [message], { type: "message.sent" });
  await tellOf(
    customer,
    Array.from({ length: 25 }, (_, index) => `ct_${index}`),
  );
  await world.cron();
  await world.settle({ withinMs: 60_000 });
  const [delivery] = (await customer.call("GET", `${path}/deliveries?limit=1`)).body.deliveries;
  await customer.call("POST", `${path}/deliveries/${delivery.id}/retry`);
  receiver.answer = () => new Response("", { status: 410 });
  await world.settle();
  for (const verb of ["pause", "enable"])
    for (const options of [once(), {}]) await customer.call("POST", `${path}/${verb}`, undefined, options);
  await customer.call("POST", `${path}/replay`, { only: "all" });
  receiver.answer = () => new Response("");
  await world.settle();
  await customer.call("DELETE", path, undefined, once());
  await world.settle();
}
