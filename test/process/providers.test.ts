import { expect, it } from "vitest";
import { CloudStandIn } from "../support/providers/cloud.ts";
import type { Delivery, StandIn } from "../support/providers/stand-in.ts";
import { WahaStandIn } from "../support/providers/waha.ts";
import { startProvider } from "./provider.ts";
import { eventually, type Service, sharedService } from "./service.ts";

async function setUp(service: Service, standIn: StandIn, base: string) {
  const { workspaces, connections, apiKeys } = (await service.operator()).manage;
  const { workspace } = await workspaces.create({ name: "Acme", plan: "scale" });
  const made = standIn.connection(base);
  const { connection } = await connections.create(workspace.id, made);
  const { key } = await apiKeys.create(workspace.id, { name: "Test", connection_id: connection.id });
  const tidings = service.client(key);
  return {
    tidings,
    connection,
    test: () => connections.test(workspace.id, connection.id),
    sync: () => connections.syncTemplates(workspace.id, connection.id),
    look: async () => (await connections.get(workspace.id, connection.id)).connection,
    change: (config: ReturnType<typeof standIn.config>) => connections.update(workspace.id, connection.id, { config }),
    post: ({ body, headers }: Delivery) => fetch(connection.webhook_url, { method: "POST", body, headers }),
    send: async (to: string) => (await tidings.messages.send({ to, text: "Hello" })).message_id,
    message: async (id: string) => (await tidings.messages.get(id)).message,
  };
}

const TO = "+14155550100";

it.each([
  { standIn: new CloudStandIn(), permanent: { code: "undeliverable", provider_code: "131026" }, expired: "190" },
  { standIn: new WahaStandIn(), permanent: { code: "invalid_recipient", provider_code: "500" }, expired: "401" },
])(
  "A connection to $standIn.provider sends and receives, and every failure has its documented result",
  async (each) => {
    const { standIn, permanent, expired } = each;
    const service = await sharedService();
    const provider = await startProvider(standIn);
    const account = await setUp(service, standIn, provider.url);
    expect(await account.test()).toMatchObject({ ok: true });

    const becomes = (id: string, ...deliveries: string[]) =>
      eventually(`Message ${id} to be ${deliveries.join(" or ")}`, 30_000, async () => {
        const message = await account.message(id);
        return deliveries.includes(message.delivery) ? message : null;
      });
    const conversations = async () => (await account.tidings.conversations.list()).conversations;

    // An inbound message arrives, and an unsigned request is rejected.
    const { body, headers } = await standIn.inbound(TO, "Grüße 👋", "Zoë");
    expect((await account.post({ body, headers: {} })).status).toBe(401);
    for (let copy = 0; copy < 2; copy++) expect((await account.post({ body, headers })).status).toBe(200);
    await eventually("The inbound message", 10_000, async () => {
      const [conversation] = await conversations();
      return conversation?.last_message === "Grüße 👋" || null;
    });
    expect(await conversations()).toMatchObject([{ unread_count: 1 }]);

    // A message is sent, and its statuses arrive.
    const id = await account.send(TO);
    await becomes(id, "sent");
    const [handed] = standIn.handed;
    if (handed === undefined) throw new Error("Nothing was handed over.");
    expect((await account.post(await standIn.status(handed, id, "read"))).status).toBe(200);
    await becomes(id, "read");

    // A temporary rejection is retried.
    standIn.next(standIn.failures.busy);
    await becomes(await account.send(TO), "sent");
    expect(standIn.handed).toHaveLength(2);

    // After a server error or without a response, the message might have been sent, so it is never sent again.
    standIn.next(standIn.failures.broken);
    await becomes(await account.send(TO), "unknown");
    standIn.loseNext();
    await becomes(await account.send(TO), "unknown");
    standIn.next(() => "silent");
    await becomes(await account.send(TO), "unknown");
    expect(standIn.handed).toHaveLength(4);

    // A permanent rejection is not retried.
    standIn.next(standIn.failures.permanent);
    expect(await becomes(await account.send(TO), "failed")).toMatchObject({ error: permanent });
    standIn.next(standIn.failures.redirect);
    expect(await becomes(await account.send(TO), "failed")).toMatchObject({ error: { provider_code: "302" } });
    standIn.next(standIn.failures.expired);
    const refused = await becomes(await account.send(TO), "failed");
    expect(refused).toMatchObject({ error: { code: "account_blocked", provider_code: expired } });
    expect(await account.look()).toMatchObject({ status: "error" });
    await account.change(standIn.config(provider.url));
    await becomes(await account.send(TO), "sent");
    expect(standIn.handed).toHaveLength(5);
  },
);

it("WhatsApp templates are synced, reviewed by webhook, and sent with all their parts", async () => {
  const standIn = new CloudStandIn();
  const service = await sharedService();
  const provider = await startProvider(standIn);
  const account = await setUp(service, standIn, provider.url);
  const template = (id: string, name: string) => ({
    id,
    name,
    language: "en_US",
    status: "APPROVED",
    category: "UTILITY",
    parameter_format: "POSITIONAL",
    components: [{ type: "BODY", text: "Order {{1}} arrives on {{2}}." }],
  });
  standIn.templates = [
    template("9001", "order_update"),
    template("9002", "order_late"),
    template("9003", "order_lost"),
  ];
  expect(await account.sync()).toMatchObject({ created: 3, updated: 0, removed: 0 });

  const { templates } = account.tidings;
  const list = async () => (await templates.list({ source: "external" })).templates;
  const found = (await list()).find(({ name }) => name === "order_update");
  const send = () => templates.send(found?.id ?? "", { to: TO, variables: ["4711", "Friday"] });
  await send();
  await eventually("The template to be handed over", 10_000, async () => standIn.handed[0] ?? null);
  expect(standIn.handed[0]?.request).toMatchObject({
    recipient_type: "individual",
    type: "template",
    template: {
      name: "order_update",
      language: { policy: "deterministic", code: "en_US" },
      components: [
        {
          type: "body",
          parameters: [
            { type: "text", text: "4711" },
            { type: "text", text: "Friday" },
          ],
        },
      ],
    },
  });

  // Meta pauses the template, and Tidings no longer sends it.
  const value = {
    event: "PAUSED",
    message_template_id: 9001,
    message_template_name: "order_update",
    message_template_language: "en_US",
    reason: "NONE",
  };
  // Meta's times are whole seconds. A time in the same second as the sync would not be later than the sync.
  await eventually("The template to be paused", 10_000, async () => {
    const told = await standIn.deliver({ field: "message_template_status_update", value });
    expect((await account.post(told)).status).toBe(200);
    return (await list()).some(({ name, status }) => name === "order_update" && status === "REJECTED") || null;
  });
  await expect(send()).rejects.toMatchObject({ code: "template_not_approved" });
  standIn.templates.pop();
  expect(await account.sync()).toMatchObject({ created: 0, updated: 1, removed: 1 });
});
