import { beforeAll, describe, expect, it } from "vitest";
import { documentParts } from "../../src/documentation/document-parts.ts";
import { exampleIds } from "../../src/documentation/example-ids.ts";
import { eventCases, exampleEvents } from "../../src/documentation/example-events.ts";
import { responseSchema, exampleResponse } from "../../src/http/openapi/openapi-operation.ts";
import { surfaces } from "../support/surfaces.ts";
import { loggedTypes } from "../../src/features/event-feed/event-feed.schemas.ts";
import { deliveredEvent, eventBatch } from "../../src/features/webhooks/delivered-events.ts";
import { type Answer, type Customer, phoneEnding, World } from "../support/world.ts";

const examples = surfaces.flatMap(({ base, endpoints }) =>
  endpoints.flatMap(({ method, path, body, example }) =>
    body === undefined ? [] : [{ name: `${method.toUpperCase()} ${base}${path}`, method, base, path, example }],
  ),
);
type Example = (typeof examples)[number];

let world: World;
let customer: Customer;
/** Ids of records in this workspace. The key is the name of the field, or the part of the path before the id. */
let ids: Record<string, string>;

beforeAll(async () => {
  world = new World();
  customer = await world.customer();
  const made = async (path: string, body: object) => (await customer.call("POST", path, body)).body;
  const { conversation_id } = await made("/messages", { to: phoneEnding("1111"), text: "Hello" });
  await customer.manage("POST", `/connections/${customer.connectionId}/simulate`, {
    from: phoneEnding("1111"),
    text: "Hi",
  });
  const contact = await made("/contacts", { phone: "+14155550199", tags: ["Newsletter"] });
  const other = await made("/contacts", { phone: "+14155550198" });
  const { template } = await made("/templates", { name: "Greeting", body: "Hello {{name|there}}" });
  const condition = { field: "tags", op: "has_any", value: ["Newsletter"] };
  const { segment } = await made("/segments", { name: "Readers", filter: { match: "all", conditions: [condition] } });
  const { custom_field } = await made("/custom-fields", { field_key: "plan", label: "Plan", type: "text" });
  const { tag } = await made("/tags", { name: "Old" });
  const { webhook } = await made("/webhooks", { url: "https://hooks.example.org/tidings", types: ["api_key.*"] });
  const { template: sale } = await made("/templates", { name: "Sale", body: "Hello {{name|there}}" });
  const audience = { template_id: sale.id, channel: "unofficial", filter_tags: ["Newsletter"] };
  const { campaign_id } = await made("/campaigns", audience);
  const { campaign: draft } = await made(`/campaigns/${campaign_id}/duplicate`, {});
  const { canned_reply } = await made("/canned-replies", { shortcut: "bye", body: "Goodbye" });
  ids = {
    campaigns: draft.campaign_id,
    conversations: conversation_id,
    contacts: contact.contact.id,
    templates: template.id,
    "canned-replies": canned_reply.id,
    segments: segment.id,
    "custom-fields": custom_field.id,
    tags: tag.id,
    webhooks: webhook.id,
    connections: customer.connectionId,
    "api-keys": customer.keyId,
    members: (await customer.member("agent")).userId,
    from: other.contact.id,
    contact_id: contact.contact.id,
    template_id: template.id,
    connection_id: customer.connectionId,
  };
});

const isId = (name: string, value: unknown) => name.endsWith("_id") || String(value).startsWith("ct_");

/** The example with its ids replaced by ids of this workspace. */
function adapted({ example }: Example): object {
  const entries = Object.entries(typeof example === "object" && example !== null ? example : {});
  return Object.fromEntries(entries.map(([name, value]) => [name, isId(name, value) ? ids[name] : value]));
}

function send(given: Example): Promise<Answer> {
  const path = given.path
    .replace(":ws", customer.workspaceId)
    .replace(/([\w-]+)\/:id/, (_, kind: string) => `${kind}/${ids[kind]}`);
  const token = given.base === "/api/v1" ? customer.key : world.env.ADMIN_TOKEN;
  return world.request(given.method.toUpperCase(), given.base + path, adapted(given), { token });
}

it("Ids in the documentation have the format of real ids", () => {
  for (const id of Object.values(exampleIds)) expect(id).toMatch(/^[a-z]{2,5}_[0-9a-hjkmnp-tv-z]{26}$/);
});

describe("Example bodies", () => {
  it.each(examples)(
    "The API accepts each example body of the documentation after its ids are replaced by existing ids: $name",
    async (given) => {
      expect(given.example).toBeDefined();
      const answer = await send(given);
      expect(answer.body, JSON.stringify(answer.body)).toMatchObject({ success: true });
    },
  );
});

describe("Example responses", () => {
  const answers = surfaces.flatMap(({ endpoints }) => endpoints.filter(({ fileType }) => fileType === null));

  it.each(answers)(
    "Each example response of the documentation matches the schema of its operation: $name",
    (endpoint) => {
      const schema = responseSchema(endpoint);
      const example = exampleResponse(endpoint.name, schema, documentParts.examples);
      expect(schema.safeParse(example).error?.issues ?? []).toEqual([]);
    },
  );

  it("Each example response of the documentation belongs to an existing operation, and all its fields exist", () => {
    for (const [name, fields] of Object.entries(documentParts.examples.responses)) {
      const { response = {} } = answers.find((endpoint) => endpoint.name === name) ?? {};
      expect(["success", ...Object.keys(response)], name).toEqual(expect.arrayContaining(Object.keys(fields)));
    }
  });
});

describe("Example events", () => {
  const events = Object.entries(exampleEvents).filter(([name]) => name !== "EventBatch");

  it("The documentation has a valid example event for each event type", () => {
    expect(events.length).toBeGreaterThan(50);
    for (const [name, event] of events) expect(deliveredEvent.safeParse(event).error?.issues ?? [], name).toEqual([]);
    expect(eventBatch.safeParse(exampleEvents["EventBatch"]).error?.issues ?? []).toEqual([]);
  });

  it("Each example event of the documentation contains changes, unless nothing changes or the object is deleted", () => {
    const unchanged = ["message.received", "campaign.scheduled", "campaign.started"];
    for (const type of loggedTypes) {
      const { changes = null, fields } = eventCases.get(type) ?? {};
      expect(changes === null, type).toBe(fields === null || unchanged.includes(type));
    }
  });
});
