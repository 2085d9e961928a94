import { beforeEach, describe, expect, it } from "vitest";
import { stopClock } from "../../../support/clock.ts";
import { addPeople, campaign, change, recipientsOf } from "../../../support/campaigns.ts";
import { fileOf, heads, storeFile } from "../../../support/media.ts";
import { CloudStandIn } from "../../../support/providers/cloud.ts";
import { graphError } from "../../../support/providers/graph-error.ts";
import { connectionOf, linkedCustomer, playInEachTest } from "../../../support/providers/linked.ts";
import type { Reply } from "../../../support/providers/stand-in.ts";
import { onShard } from "../../../support/storage.ts";
import { refusal } from "../../../support/templates.ts";
import type { Customer } from "../../../support/world.ts";

let cloud: CloudStandIn;
playInEachTest(() => (cloud = new CloudStandIn()));
beforeEach(stopClock);

const MINUTE_MS = 60_000;
const bytes = fileOf(heads["image/jpeg"], 40_000).fill(9, 100);

const sale = {
  id: "1",
  name: "sale",
  language: "en_US",
  status: "APPROVED",
  category: "MARKETING",
  parameter_format: "POSITIONAL",
  components: [
    { type: "HEADER", format: "IMAGE", example: { header_handle: ["4::aW"] } },
    { type: "BODY", text: "Hi {{1}}" },
  ],
};

const cards = {
  ...sale,
  id: "2",
  name: "cards",
  components: [
    { type: "BODY", text: "New in, {{1}}:" },
    {
      type: "CAROUSEL",
      cards: ["Aloe", "Cactus"].map((plant) => ({
        components: [
          { type: "HEADER", format: "IMAGE", example: { header_handle: ["4::aW"] } },
          { type: "BODY", text: `${plant}, now {{1}} off` },
          { type: "BUTTONS", buttons: [{ type: "QUICK_REPLY", text: "More" }] },
        ],
      })),
    },
  ],
};

let customer: Customer, media_id: string;

beforeEach(async () => {
  cloud.templates = [sale, cards];
  customer = await linkedCustomer(cloud);
  await customer.manage("POST", `/connections/${customer.connectionId}/sync-templates`);
  media_id = (await storeFile(customer, bytes, "image/jpeg")).id;
});

async function order(name: string, more: object): Promise<object> {
  const { templates } = (await customer.call("GET", "/templates?source=external")).body;
  const { id } = templates.find((template: { name: string }) => template.name === name);
  return { template_id: id, channel: "official", variables: ["{{name}}"], ...more };
}

/** Starts a campaign to this number of people. Its template has an image header. */
async function begin(people: number, header: object = { media_id }): Promise<string> {
  await addPeople(customer, people);
  const { status, body } = await customer.call("POST", "/campaigns", await order("sale", { header }));
  expect(status, JSON.stringify(body)).toBe(201);
  return body.campaign_id;
}

const uploads = () => cloud.requests.filter(({ path }) => path.endsWith("/media")).length;
const reached = () => new Set(cloud.handed.map(({ to }) => to)).size;

describe("Files of campaign templates", () => {
  it("A template's file is uploaded once before the first send, and every message refers to it", async () => {
    const id = await begin(60);
    await customer.world.settle({ copies: 2 });
    expect(await campaign(customer, id)).toMatchObject({ status: "completed", counts: { sent: 60 } });
    const [[upload, file] = []] = [...cloud.files.uploads];
    expect([uploads(), cloud.files.uploads.size, file?.bytes]).toEqual([1, 1, bytes]);
    const header = { type: "header", parameters: [{ type: "image", image: { id: upload } }] };
    expect(cloud.handed.every(({ request }) => request.template.components[0].parameters[0].image.id === upload)).toBe(
      true,
    );
    expect(cloud.handed[0]?.request.template).toMatchObject({
      name: "sale",
      components: [header, { type: "body", parameters: [{ type: "text", text: "Person 0" }] }],
    });
    expect([cloud.handed.length, reached()]).toEqual([60, 60]);
    const [recipient] = await recipientsOf(customer, id);
    expect(await customer.message(recipient.message_id)).toMatchObject({
      type: "template",
      content: { name: "sale", header: { type: "image", media_id } },
    });
  });

  it("A template's file is uploaded once more if the provider loses it during the campaign", async () => {
    const id = await begin(60);
    await customer.world.settle({ withinMs: 0 });
    while (cloud.handed.length === 0) await customer.world.settle({ withinMs: 1000 });
    expect(reached()).toBeLessThan(60);
    cloud.files.uploads.clear();
    await customer.world.settle();
    expect(await campaign(customer, id)).toMatchObject({ status: "completed", counts: { sent: 60, failed: 0 } });
    expect([uploads(), cloud.handed.length, reached()]).toEqual([2, 60, 60]);
  });

  it("Only one job at a time uploads a template's file, and a new job takes over if the first job died", async () => {
    await onShard(
      customer,
      "INSERT INTO media_uploads SELECT ?, sha256, mime_type, workspace_id, '', ? FROM media WHERE id = ?",
      customer.connectionId,
      Date.now() + 30_000,
      media_id,
    );
    const id = await begin(20);
    await customer.world.settle({ withinMs: 29_000 });
    expect([uploads(), cloud.handed]).toEqual([0, []]);
    await customer.world.settle({ withinMs: MINUTE_MS });
    expect(await campaign(customer, id)).toMatchObject({ status: "completed", counts: { sent: 20 } });
    expect(uploads()).toBe(1);
  });

  it("A template's file is fetched once from its URL before the first send", async () => {
    const served = () => new Response(bytes, { headers: { "Content-Type": "image/jpeg" } });
    cloud.gateway = () => served();
    const id = await begin(20, { url: "http://provider.test:3000/sale.jpg" });
    expect(cloud.requests.filter(({ path }) => path === "/sale.jpg")).toEqual([]);
    await customer.world.queues.deliverDue(customer.world.env);
    cloud.gateway = null;
    await customer.world.settle();
    expect(cloud.requests.filter(({ path }) => path === "/sale.jpg")).toHaveLength(1);
    expect(await campaign(customer, id)).toMatchObject({ status: "completed", counts: { sent: 20 } });
    expect([...cloud.files.uploads.values()]).toMatchObject([{ bytes }]);
  });

  it("A campaign fails before any send if its template's file cannot be fetched", async () => {
    const id = await begin(20, { url: "http://provider.test:3000/gone.jpg" });
    await customer.world.settle();
    expect(await campaign(customer, id)).toMatchObject({ status: "failed", last_error: "media_invalid" });
    expect([cloud.handed, uploads()]).toEqual([[], 0]);
  });

  it("A campaign fails before any send if the provider rejects its template's file", async () => {
    cloud.files.refusals.push(() => graphError(131053, "Media upload error"));
    const id = await begin(20);
    await customer.world.settle();
    expect(await campaign(customer, id)).toMatchObject({ status: "failed", last_error: "media_invalid" });
    expect([cloud.handed, uploads()]).toEqual([[], 1]);
  });

  it("A scheduled campaign fails if its template's file is deleted before the start", async () => {
    const scheduled_at = new Date(Date.now() + MINUTE_MS).toISOString();
    await addPeople(customer, 5);
    const body = await order("sale", { header: { media_id }, scheduled_at });
    const { campaign_id: id } = (await customer.call("POST", "/campaigns", body)).body;
    await customer.call("DELETE", `/media/${media_id}`);
    await customer.world.settle();
    expect(await campaign(customer, id)).toMatchObject({ status: "failed", last_error: "media_invalid" });
    expect(cloud.handed).toEqual([]);
  });

  const passing: [string, () => Reply][] = [
    ["is busy", () => graphError(130429, "Rate limit hit", 429)],
    ["fails", () => graphError(131000, "Something went wrong", 500)],
    ["loses the answer", () => "lost"],
  ];

  it.each(passing)("The upload of a template's file is retried if the provider %s", async (_, reply) => {
    cloud.files.refusals.push(reply, reply);
    const id = await begin(20);
    await customer.world.settle({ withinMs: MINUTE_MS });
    expect(await campaign(customer, id)).toMatchObject({ status: "completed", counts: { sent: 20 } });
    expect([uploads(), cloud.files.uploads.size, cloud.handed.length]).toEqual([3, 1, 20]);
  });

  it("A campaign pauses if the provider is down during the upload of a file", { tags: "long" }, async () => {
    const down = Array.from({ length: 100 }, () => () => new Response("Bad gateway", { status: 502 }));
    cloud.files.refusals.push(...down);
    const id = await begin(20);
    for (let minute = 0; minute < 12; minute++) {
      await customer.world.settle({ withinMs: MINUTE_MS });
      customer.world.advance(MINUTE_MS);
      await customer.world.cron();
    }
    await customer.world.settle();
    expect(await campaign(customer, id)).toMatchObject({ status: "paused", last_error: "provider_unreachable" });
    expect(cloud.handed).toEqual([]);
    cloud.files.refusals.length = 0;
    await change(customer, id, "resume");
    await customer.world.settle();
    expect(await campaign(customer, id)).toMatchObject({ status: "completed", counts: { sent: 20 } });
    expect(cloud.files.uploads.size).toBe(1);
  });

  it("A campaign and its connection pause if the token expires during the upload of a file", async () => {
    cloud.files.refusals.push(() => graphError(190, "Session has expired", 401));
    const id = await begin(20);
    await customer.world.settle();
    expect(await connectionOf(customer)).toMatchObject({ status: "error" });
    expect(await campaign(customer, id)).toMatchObject({ status: "paused", last_error: "connection_unavailable" });
    expect(cloud.handed).toEqual([]);
    const config = { access_token: cloud.settings.access_token };
    await customer.manage("PATCH", `/connections/${customer.connectionId}`, { config });
    await change(customer, id, "resume");
    await customer.world.settle();
    expect(await campaign(customer, id)).toMatchObject({ status: "completed", counts: { sent: 20 } });
    expect(cloud.files.uploads.size).toBe(1);
  });
});

describe("Cards of campaign templates", () => {
  it("A template's cards are filled in for each contact, and their common file is uploaded once", async () => {
    await addPeople(customer, 3);
    const card = (value: string) => ({ header: { media_id }, variables: [value], buttons: [{ index: 0, value }] });
    const body = await order("cards", { cards: [card("10 %"), card("{{name}}")] });
    const { campaign_id: id } = (await customer.call("POST", "/campaigns", body)).body;
    await customer.world.settle();
    expect(await campaign(customer, id)).toMatchObject({ status: "completed", counts: { sent: 3 } });
    expect(uploads()).toBe(1);
    const [upload] = [...cloud.files.uploads.keys()];
    const sent = (index: number, text: string) => ({
      card_index: index,
      components: [
        { type: "header", parameters: [{ type: "image", image: { id: upload } }] },
        { type: "body", parameters: [{ type: "text", text }] },
        { type: "button", sub_type: "quick_reply", index: "0", parameters: [{ type: "payload", payload: text }] },
      ],
    });
    expect(cloud.handed.map(({ request }) => request.template.components)).toEqual(
      [0, 1, 2].map((person) => [
        { type: "body", parameters: [{ type: "text", text: `Person ${person}` }] },
        { type: "carousel", cards: [sent(0, "10 %"), sent(1, `Person ${person}`)] },
      ]),
    );
  });

  it("A campaign does not start if its template's cards have no values", async () => {
    await addPeople(customer, 1);
    const start = async (more: object) => refusal(customer.call("POST", "/campaigns", await order("cards", more)));
    const card = { header: { media_id }, variables: ["10 %"], buttons: [{ index: 0, value: "a" }] };
    const missing = (name: string) => [422, "missing_variable", { variables: [name] }];
    expect(await start({ cards: [card, { ...card, header: undefined }] })).toEqual(missing("cards.1.header.image"));
    expect(await start({ cards: [card, { ...card, variables: [] }] })).toEqual(missing("cards.1.body.1"));
  });
});
