// Causes each event that the sandbox cannot cause, so that each SQL statement runs.
import { CloudStandIn } from "./providers/cloud.ts";
import { graphError } from "./providers/graph-error.ts";
import { linkedCustomer, playProvider, report, UPSTREAM } from "./providers/linked.ts";
import { WahaStandIn } from "./providers/waha.ts";
import { expand, phones, sendLease, settleLease } from "./recipients.ts";
import { useIdentities } from "./use-identities.ts";
import { type Customer, type World } from "./world.ts";

/** Settles a lease once through a provider and once directly. */
async function useLease(customer: Customer, server: WahaStandIn | CloudStandIn): Promise<void> {
  const { recipients } = await expand(customer, phones(2));
  await sendLease(customer, recipients, { provider: server.provider, config: server.config(UPSTREAM) });
  for (const handed of server.handed.slice(-2)) await report(customer, server.status(handed, "", "delivered"));
  await settleLease(customer, (await expand(customer, phones(1))).recipients, () => ({
    outcome: { kind: "skipped", reason: "expired" },
  }));
  await customer.call("GET", `/messages/${recipients[0]?.id}`);
}

export async function useProviders(world: World): Promise<void> {
  const server = new WahaStandIn();
  const fetching = playProvider(server);
  const customer = await linkedCustomer(server, world);
  const chat = "14155550100@c.us";
  const early = { providerMessageId: `true_${chat}_3EB0EARLY`, to: chat, request: null };
  await report(customer, server.status(early, "", "delivered"));
  await report(customer, server.own(early.providerMessageId, chat, "From the phone", "app"));
  await report(customer, server.own(`true_${chat}_3EB0OTHER`, chat, "By the API", "api"));
  await customer.send("+14155550100");
  await report(customer, server.inbound("+14155550100", "Hi"));
  await useLease(customer, server);
  for (const status of ["STOPPED", "WORKING"]) {
    await report(customer, server.deliver("session.status", { name: "default", status }));
  }
  await world.env.CACHE.delete(`conn:${customer.connectionId}`);
  await report(customer, server.inbound("+14155550100", "Hi again"));
  await customer.manage("PATCH", `/connections/${customer.connectionId}`, { config: { session: "default" } });
  const cloud = new CloudStandIn();
  fetching.mockRestore();
  const again = playProvider(cloud);
  const official = await linkedCustomer(cloud, world);
  await report(official, cloud.inbound("+14155550101", "Hi"));
  await official.send("+14155550101");
  await useReportsWithoutOurId(official, cloud);
  await report(official, cloud.deliver({ field: "account_alerts", value: { alert_info: { alert_type: "A" } } }));
  await useIdentities(official);
  await useChoices(official, cloud);
  await useLease(official, cloud);
  cloud.next(cloud.failures.expired);
  await official.send("+14155550101");
  await official.manage("POST", `/connections/${official.connectionId}/test`);
  again.mockRestore();
}

/** A real provider may report statuses without our ids. */
async function useReportsWithoutOurId(customer: Customer, cloud: CloudStandIn): Promise<void> {
  for (const handed of cloud.handed.slice(-1)) {
    const { to, providerMessageId: id } = handed;
    const edit = { original_message_id: id, message: { type: "text", text: { body: "Hello again" } } };
    const echoed = { from: "15550783881", to, timestamp: String(Math.floor(Date.now() / 1000)) };
    const own = (content: object) => ({ ...cloud.messages({ message_echoes: [{ ...echoed, ...content }] }) });
    await report(customer, cloud.deliver(cloud.messages({ statuses: [cloud.statusOf(handed, null, "delivered")] })));
    await report(customer, cloud.deliver(own({ id, type: "text", text: { body: "Hello" } })));
    await report(customer, cloud.deliver(own({ id: "wamid.edited", type: "edit", edit })));
  }
}

async function useChoices(customer: Customer, cloud: CloudStandIn): Promise<void> {
  const from = "+14155550108";
  const wa_id = from.replace("+", "");
  const wrote = (id: string, body: string) => cloud.message(from, { id, type: "text", text: { body } });
  const edited = (original_message_id: string, body: string) =>
    cloud.message(from, { type: "edit", edit: { original_message_id, message: { type: "text", text: { body } } } });
  await report(customer, cloud.deliver(edited("wamid.later", "STOP"), wrote("wamid.first", "Stop promotions")));
  await report(customer, cloud.deliver(edited("wamid.first", "Stop promotions"), wrote("wamid.later", "Hi")));
  await report(customer, cloud.deliver(wrote("wamid.start", "START")));
  for (const value of ["stop", "resume"]) {
    const preference = { wa_id, category: "marketing_messages", value, timestamp: Math.floor(Date.now() / 1000) };
    await report(customer, cloud.deliver({ field: "user_preferences", value: { user_preferences: [preference] } }));
  }
  cloud.next(() => graphError(131050, "Stopped marketing messages"));
  await customer.send(from);
}
