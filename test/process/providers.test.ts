import { expect, it } from "vitest";
import { z } from "zod";
import { CloudStandIn } from "../support/providers/cloud.ts";
import type { Delivery, StandIn } from "../support/providers/stand-in.ts";
import { WahaStandIn } from "../support/providers/waha.ts";
import { startProvider } from "./provider.ts";
import { eventually, makeStateDir, type Service, startService } from "./service.ts";

const made = z.object({ workspace: z.object({ id: z.string() }) });
const connected = z.object({ connection: z.object({ id: z.string(), webhook_url: z.string(), status: z.string() }) });
const keyed = z.object({ key: z.string() });
const sent = z.object({ message_id: z.string() });
const shown = z.object({
  message: z.object({
    delivery: z.string(),
    error: z.object({ code: z.string(), provider_code: z.string().nullable() }).nullable(),
  }),
});

/** A connection to a provider on this machine, set up over the management API. */
async function setUp(service: Service, standIn: StandIn, base: string) {
  const { workspace } = made.parse(await service.manage("POST", "", { name: "Acme", plan: "scale" }));
  const at = `/${workspace.id}/connections`;
  const { provider, channel } = standIn;
  const { connection } = connected.parse(
    await service.manage("POST", at, { name: provider, channel, provider, config: standIn.config(base) }),
  );
  const { key } = keyed.parse(
    await service.manage("POST", `/${workspace.id}/api-keys`, { name: "Test", connection_id: connection.id }),
  );
  return {
    key,
    connection,
    test: () => service.manage("POST", `${at}/${connection.id}/test`),
    sync: () => service.manage("POST", `${at}/${connection.id}/sync-templates`),
    look: async () => connected.parse(await service.manage("GET", `${at}/${connection.id}`)).connection,
    change: (config: object) => service.manage("PATCH", `${at}/${connection.id}`, { config }),
    post: ({ body, headers }: Delivery) => fetch(connection.webhook_url, { method: "POST", body, headers }),
    async send(to: string): Promise<string> {
      const answer = await service.request("POST", "/api/v1/messages", key, { to, text: "Hello" });
      return sent.parse(await answer.json()).message_id;
    },
    async message(id: string) {
      return shown.parse(await (await service.request("GET", `/api/v1/messages/${id}`, key)).json()).message;
    },
  };
}

const TO = "+14155550100";

it.each([
  { standIn: new CloudStandIn(), permanent: { code: "undeliverable", provider_code: "131026" }, expired: "190" },
  { standIn: new WahaStandIn(), permanent: { code: "invalid_recipient", provider_code: "500" }, expired: "401" },
])("A connection to $standIn.provider works in both directions, and every trouble ends as it should", async (each) => {
  const { standIn, permanent, expired } = each;
  const service = await startService(makeStateDir());
  const provider = await startProvider(standIn);
  const account = await setUp(service, standIn, provider.url);
  expect(await account.test()).toMatchObject({ ok: true });

  const becomes = (id: string, ...deliveries: string[]) =>
    eventually(`Message ${id} to be ${deliveries.join(" or ")}`, 30_000, async () => {
      const message = await account.message(id);
      return deliveries.includes(message.delivery) ? message : null;
    });
  const conversations = () =>
    service.request("GET", "/api/v1/conversations", account.key).then((answer) => answer.text());

  // Somebody writes; unsigned, it is refused.
  const { body, headers } = await standIn.inbound(TO, "Grüße 👋", "Zoë");
  expect((await account.post({ body, headers: {} })).status).toBe(401);
  for (let copy = 0; copy < 2; copy++) expect((await account.post({ body, headers })).status).toBe(200);
  await eventually("The inbound message", 10_000, async () => (await conversations()).includes("Grüße 👋") || null);
  expect(await conversations()).toContain('"unread_count":1');

  // A message and its statuses.
  const id = await account.send(TO);
  await becomes(id, "sent");
  const [handed] = standIn.handed;
  if (handed === undefined) throw new Error("Nothing was handed over.");
  expect((await account.post(await standIn.status(handed, id, "read"))).status).toBe(200);
  await becomes(id, "read");

  // A refusal that passes is tried again.
  standIn.next(standIn.troubles.busy);
  await becomes(await account.send(TO), "sent");
  expect(standIn.handed).toHaveLength(2);

  // A fault of the server, an answer that is lost, and one that never comes may each follow a message that has left: never sent again.
  standIn.next(standIn.troubles.broken);
  await becomes(await account.send(TO), "unknown");
  standIn.loseNext();
  await becomes(await account.send(TO), "unknown");
  standIn.next(() => "silent");
  await becomes(await account.send(TO), "unknown");
  expect(standIn.handed).toHaveLength(4);

  // Troubles that stay.
  standIn.next(standIn.troubles.permanent);
  expect(await becomes(await account.send(TO), "failed")).toMatchObject({ error: permanent });
  standIn.next(standIn.troubles.redirect);
  expect(await becomes(await account.send(TO), "failed")).toMatchObject({ error: { provider_code: "302" } });
  standIn.next(standIn.troubles.expired);
  const refused = await becomes(await account.send(TO), "failed");
  expect(refused).toMatchObject({ error: { code: "account_blocked", provider_code: expired } });
  expect(await account.look()).toMatchObject({ status: "error" });
  await account.change(standIn.config(provider.url));
  await becomes(await account.send(TO), "sent");
  expect(standIn.handed).toHaveLength(5);
});

const listed = z.object({
  templates: z.array(z.object({ id: z.string(), name: z.string(), body: z.string(), status: z.string() })),
});

it("WhatsApp's templates are synced, judged by webhook, and sent in their structured form", async () => {
  const standIn = new CloudStandIn();
  const service = await startService(makeStateDir());
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

  const list = async () =>
    listed.parse(await (await service.request("GET", "/api/v1/templates?source=external", account.key)).json())
      .templates;
  const found = (await list()).find(({ name }) => name === "order_update");
  const send = (id: string) =>
    service.request("POST", `/api/v1/templates/${id}/send`, account.key, { to: TO, variables: ["4711", "Friday"] });
  expect((await send(found?.id ?? "")).status).toBe(202);
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

  // Meta pauses it: it is not sent any more.
  const value = {
    event: "PAUSED",
    message_template_id: 9001,
    message_template_name: "order_update",
    message_template_language: "en_US",
    reason: "NONE",
  };
  // Its times are whole seconds; one of the sync's own second would not be later than the sync.
  await eventually("The template to be paused", 10_000, async () => {
    const told = await standIn.deliver({ field: "message_template_status_update", value });
    expect((await account.post(told)).status).toBe(200);
    return (await list()).some(({ name, status }) => name === "order_update" && status === "REJECTED") || null;
  });
  expect((await send(found?.id ?? "")).status).toBe(422);
  standIn.templates.pop();
  expect(await account.sync()).toMatchObject({ created: 0, updated: 1, removed: 1 });
});
