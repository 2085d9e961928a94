import { contextOf } from "./context.ts";
import { logEvents } from "./fill-log.ts";
import { storeFile } from "./media.ts";
import { Receiver, tellOf } from "./receiver.ts";
import { onShard } from "./storage.ts";
import type { Customer } from "./world.ts";
import { soon } from "./soon.ts";

export const CONVERSATIONS = 30;
/** Two calls to warm up, and one that is measured. */
export const CALLS = 3;
export const sandbox = { name: "Sandbox", channel: "unofficial", provider: "sandbox", config: {} };
export const numberOf = (index: number) => `+1415${2_000_008 + index * 10}`;

export const person = (index: number) => ({
  phone: numberOf(index + 1000),
  name: "Bench Person",
  email: `person${index}@example.com`,
  tags: ["VIP", "Retail", "Berlin"],
  custom_fields: { plan: "pro" },
});
export const field = (index: number) => ({ field_key: `field_${index}`, label: "Field", type: "text" });
export const segment = {
  name: "Pros",
  filter: {
    match: "all",
    conditions: [
      { field: "tags", op: "has_any", value: ["VIP"] },
      { field: "custom_fields.plan", op: "eq", value: "pro" },
    ],
  },
};

/** Creates spare campaigns and drafts, because each call to resume, cancel or start needs a new one. */
async function populateCampaigns(customer: Customer, count: number) {
  const news = { name: "News", body: "Hi {{name|you}}" };
  const template_id = (await customer.call("POST", "/templates", news)).body.template.id;
  const campaigns: string[] = [];
  for (let index = 0; index < count; index++) {
    const body = { template_id, channel: "unofficial", filter_tags: ["VIP"] };
    campaigns.push((await customer.call("POST", "/campaigns", body)).body.campaign_id);
    await customer.call("POST", `/campaigns/${campaigns[index]}/pause`);
  }
  await customer.world.settle();
  const campaign = String(campaigns.pop());
  const spareDrafts: string[] = [];
  for (let index = 0; index <= CALLS; index++) {
    const { body } = await customer.call("POST", `/campaigns/${campaign}/duplicate`);
    spareDrafts.push(body.campaign.campaign_id);
  }
  const draft = String(spareDrafts.pop());
  return { campaignTemplate: String(template_id), campaign, draft, spareDrafts, spareCampaigns: campaigns };
}

async function populateContacts(customer: Customer) {
  await customer.call("POST", "/custom-fields", { ...field(0), field_key: "plan" });
  const contacts = Array.from({ length: 30 }, (_, index) => person(index + 100_000));
  const { results } = (await customer.call("POST", "/contacts/batch", { contacts })).body;
  const made: string[] = results.map(({ contact_id: id }: { contact_id: string }) => id);
  const restored = made.slice(0, CALLS);
  for (const id of restored) await customer.call("DELETE", `/contacts/${id}`);
  const ids = {
    tags: [""],
    fields: [""],
    segments: [""],
    replies: [""],
    restored,
    archived: made.slice(CALLS, 2 * CALLS),
  };
  const merged = made.slice(2 * CALLS, 3 * CALLS);
  const bulk = { ids: made.slice(-1), action: "add_tags", tags: ["VIP"] };
  const job = String((await customer.call("POST", "/contacts/bulk", bulk)).body.job.id);
  for (let index = 0; index <= CALLS; index++) {
    ids.tags[index] = (await customer.call("POST", "/tags", { name: `Spare ${index}` })).body.tag.id;
    ids.fields[index] = (await customer.call("POST", "/custom-fields", field(index + 100_000))).body.custom_field.id;
    ids.segments[index] = (await customer.call("POST", "/segments", segment)).body.segment.id;
    const reply = { shortcut: `spare-${index}`, body: "Hi {{name|you}}" };
    ids.replies[index] = (await customer.call("POST", "/canned-replies", reply)).body.canned_reply.id;
  }
  return { ...ids, merged, job };
}

/** Creates one webhook with a delivery, and spare webhooks for the calls that delete one. */
async function populateWebhooks(customer: Customer) {
  const receiver = new Receiver();
  const make = async (): Promise<string> => {
    const { body } = await customer.call("POST", "/webhooks", { url: receiver.url, types: ["contact.erased"] });
    return body.webhook.id;
  };
  const webhook = await make();
  await tellOf(customer, ["ct_1"], { type: "contact.erased" });
  // If the object's own alarm runs before the test's, `settle` may return before the delivery exists.
  const delivery = await soon(async () => {
    await customer.world.settle();
    const { deliveries } = (await customer.call("GET", `/webhooks/${webhook}/deliveries`)).body;
    return String(deliveries[0].id);
  });
  const spareWebhooks: string[] = [];
  for (let index = 0; index < CALLS; index++) spareWebhooks.push(await make());
  // The budgets are for a workspace without active webhooks, because each change would wake them.
  for (const id of [webhook, ...spareWebhooks]) await customer.call("POST", `/webhooks/${id}/pause`);
  await customer.world.settle();
  return { receiver, webhook, spareWebhooks, webhookDelivery: delivery };
}

export async function populate(customer: Customer, count = CONVERSATIONS) {
  const { body } = await customer.send(numberOf(0));
  for (let index = 1; index < count; index++) {
    await customer.send(numberOf(index));
    await customer.call("POST", `/conversations/${body.conversation_id}/messages`, { text: `Message ${index}` });
    await customer.manage("POST", "/api-keys", { name: "Key", connection_id: customer.connectionId });
  }
  await customer.world.settle();
  await customer.receive(numberOf(0), "Hello");
  const spare = await customer.manage("POST", "/api-keys", { name: "Spare", connection_id: customer.connectionId });
  const spareConnections: string[] = [];
  for (let index = 0; index < CALLS; index++)
    spareConnections.push((await customer.manage("POST", "/connections", sandbox)).body.connection.id);
  const deadEvents = Array.from({ length: count }, (_, index) => `dead-${customer.workspaceId}-${index}`);
  const payload = JSON.stringify({
    v: 1,
    workspace: { id: customer.workspaceId, number: 1, shard: 0 },
    connectionId: customer.connectionId,
    event: { type: "status", messageId: "msg_gone", providerMessageId: "gone", status: "sent", at: 0, error: null },
  });
  for (const id of deadEvents) {
    const row = [id, customer.workspaceId, payload, Date.now()];
    await onShard(customer, "INSERT INTO dead_letters VALUES (?, ?, 'events', 'Poison.', ?, ?)", ...row);
  }
  const official = (await customer.manage("POST", "/connections", { ...sandbox, channel: "official" })).body.connection;
  const templates: string[] = [];
  for (let index = 0; index < count; index++) {
    const answer = await customer.call("POST", "/templates", { name: `Template ${index}`, body: "Hi {{name|you}}" });
    templates.push(String(answer.body.template.id));
  }
  const sent = Array.from({ length: count }, () => ({ type: "message.sent", id: String(body.message_id) }));
  await logEvents(await contextOf(customer), sent);
  const event: string = (await customer.call("GET", "/events?limit=1")).body.events[0].id;
  const invitations: string[] = [];
  const members: string[] = [];
  for (let index = 0; index < CALLS; index++) {
    const invited = { email: `invited${index}@example.com`, role: "agent" };
    invitations.push((await customer.manage("POST", "/invitations", invited)).body.invitation.id);
    members.push((await customer.member("agent")).userId);
  }
  const contacts = await populateContacts(customer);
  const media: string[] = [];
  for (let index = 0; index < count; index++) media.push((await storeFile(customer)).id);
  return {
    media,
    ...contacts,
    ...(await populateWebhooks(customer)),
    ...(await populateCampaigns(customer, count)),
    event,
    invitations,
    members,
    owner: (await customer.member("owner")).userId,
    template: templates.pop(),
    deadEvents,
    spareTemplates: templates,
    official: String(official.id),
    message: String(body.message_id),
    conversation: String(body.conversation_id),
    contact: String(body.contact_id),
    spareKey: String(spare.body.api_key.id),
    spareConnections,
  };
}
