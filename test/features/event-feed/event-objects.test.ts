import { expect, test } from "vitest";
import { eventTypes } from "../../../src/features/events/events.types.ts";
import { eventPage as events, log } from "../../support/fill-log.ts";
import { phoneEnding, World } from "../../support/world.ts";

test("An event contains the current object in the format of the API", async () => {
  const customer = await new World().customer();
  const plan = { field_key: "plan", label: "Plan", type: "select", options: ["free", "pro"] };
  const { custom_field } = (await customer.call("POST", "/custom-fields", plan)).body;
  const { tag } = (await customer.call("POST", "/tags", { name: "VIP" })).body;
  const person = { phone: phoneEnding("1234"), tags: ["VIP"], custom_fields: { plan: "pro" }, is_unsubscribed: false };
  const { contact } = (await customer.call("POST", "/contacts", person)).body;
  const sent = (await customer.send(person.phone)).body;
  await customer.world.settle();
  const template = (await customer.call("POST", "/templates", { name: "News", body: "Hi {{1}}" })).body.template;
  const filter = { match: "all", conditions: [{ field: "tags", op: "has_any", value: ["VIP"] }] };
  const { segment } = (await customer.call("POST", "/segments", { name: "Best", filter })).body;
  const started = { template_id: template.id, channel: "unofficial", filter_tags: ["VIP"], variables: ["you"] };
  const { campaign_id } = (await customer.call("POST", "/campaigns", started)).body;
  await customer.world.settle();
  await log(customer, [
    { type: "custom_field.created", id: custom_field.id },
    { type: "tag.created", id: tag.id },
    { type: "contact.created", id: contact.id },
    { type: "message.delivered", id: sent.message_id, changes: { delivery: ["sent", "delivered"] } },
    { type: "conversation.opened", id: sent.conversation_id },
    { type: "template.created", id: template.id },
    { type: "segment.created", id: segment.id },
    { type: "campaign.completed", id: campaign_id },
    { type: "connection.created", id: customer.connectionId },
    { type: "api_key.created", id: customer.keyId },
  ]);
  const shown = async (path: string) => (await customer.call("GET", path)).body;
  const connection = (await customer.manage("GET", `/connections/${customer.connectionId}`)).body.connection;
  const { id, name, channel, provider, status, status_detail } = connection;
  const page = await events(customer);
  expect(page.events.map(({ data }: { data: object }) => data)).toEqual([
    { custom_field },
    { tag },
    { contact: (await shown(`/contacts/${contact.id}`)).contact },
    { message: (await shown(`/messages/${sent.message_id}`)).message },
    { conversation: (await shown(`/conversations/${sent.conversation_id}`)).conversation },
    { template },
    { segment },
    { campaign: (await shown(`/campaigns/${campaign_id}`)).campaign },
    { connection: { id, name, channel, provider, status, status_detail } },
    { api_key: (await customer.manage("GET", `/api-keys/${customer.keyId}`)).body.api_key },
  ]);
  expect(page.events[3]).toMatchObject({
    id: expect.stringMatching(/^evt_/),
    sequence: 4,
    type: "message.delivered",
    actor: { type: "system", id: null },
    object_id: sent.message_id,
    changes: { delivery: ["sent", "delivered"] },
  });
  expect(page).toMatchObject({ has_more: false, next_after: page.events.at(-1).id });
  for (const event of page.events) expect(await shown(`/events/${event.id}`)).toEqual({ success: true, event });
});

test("An event about a deleted object of any kind contains null instead of the object", async () => {
  const customer = await new World().customer();
  const { tag } = (await customer.call("POST", "/tags", { name: "VIP" })).body;
  const types = eventTypes.filter((type) => type.endsWith(".created"));
  await log(customer, [{ type: "tag.created", id: tag.id }, ...types.map((type) => ({ type, id: "gone_1" }))]);
  await customer.call("DELETE", `/tags/${tag.id}`);
  const page = await events(customer);
  expect(page.events.map(({ data }: { data: object }) => data)).toEqual([
    { tag: null },
    ...types.map((type) => ({ [type.split(".")[0] ?? ""]: null })),
    { tag: null },
  ]);
  expect(page.events[0]).toMatchObject({ object_id: tag.id });
});

test("An event never contains an object of another workspace", async () => {
  const world = new World();
  const [mine, theirs] = [await world.customer(), await world.customer()];
  const sent = (await theirs.send(phoneEnding("1234"))).body;
  const { tag } = (await theirs.call("POST", "/tags", { name: "VIP" })).body;
  const { template } = (await theirs.call("POST", "/templates", { name: "News", body: "Hi" })).body;
  const objects = [
    ["message", sent.message_id],
    ["conversation", sent.conversation_id],
    ["contact", sent.contact_id],
    ["tag", tag.id],
    ["template", template.id],
    ["connection", theirs.connectionId],
    ["api_key", theirs.keyId],
  ];
  await log(
    mine,
    objects.map(([kind, id]) => ({
      type: kind === "message" ? "message.sent" : kind === "conversation" ? "conversation.opened" : `${kind}.created`,
      id,
    })),
  );
  const data = (await events(mine)).events.map((event: { data: object }) => event.data);
  expect(data).toEqual(objects.map(([kind = ""]) => ({ [kind]: null })));
});

test("After a merge, events about the removed contact contain null, and the kept contact has a merge event", async () => {
  const customer = await new World().customer();
  const { contact } = (await customer.call("POST", "/contacts", { phone: phoneEnding("1234") })).body;
  await log(customer, [
    { type: "contact.created", id: "ct_gone" },
    { type: "contact.merged", id: contact.id, changes: { id: ["ct_gone", contact.id] } },
  ]);
  expect((await events(customer)).events).toMatchObject([
    { object_id: "ct_gone", data: { contact: null } },
    { object_id: contact.id, data: { contact: { id: contact.id } }, changes: { id: ["ct_gone", contact.id] } },
  ]);
});
