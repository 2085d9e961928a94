import { beforeEach, describe, expect, it } from "vitest";
import { createRecords } from "../../scripts/start/demo-data.ts";
import { stopClock } from "../support/clock.ts";
import { storeFile } from "../support/media.ts";
import { World } from "../support/world.ts";

beforeEach(stopClock);

async function bench() {
  const customer = await new World().customer();
  const admin = await customer.member("admin");
  const here = `/console/${customer.workspaceId}/settings/connections/${customer.connectionId}`;
  const play = (fields: Record<string, string>) => admin.post(`${here}/simulate`, { from: "+14155550177", ...fields });
  const last = async () => {
    await customer.world.settle();
    const [{ id }] = (await customer.call("GET", "/conversations?limit=1")).body.conversations;
    return (await customer.call("GET", `/conversations/${id}/messages?limit=1`)).body.messages[0];
  };
  return { customer, admin, here, play, last };
}

describe("Sandbox simulation form", () => {
  it("The form's default number belongs to none of the demo's contacts, so its first message creates a contact", async () => {
    const { customer, admin, here, play } = await bench();
    const { body } = await admin.get(here);
    const valueOf = (name: string) => new RegExp(`name="${name}"[^>]*value="([^"]*)"`).exec(body)?.[1] ?? "";
    const sent = { from: valueOf("from"), name: valueOf("name") };
    await createRecords(async (method, path, record) => (await customer.call(method, path, record)).body);
    await play({ ...sent, kind: "text", text: "Hello" });
    await customer.world.settle();
    const { contacts } = (await customer.call("GET", "/contacts")).body;
    expect(contacts).toHaveLength(6);
    expect(contacts[0]).toMatchObject({ phone: sent.from, name: "Alex Example" });
  });

  it.each([
    [
      "location",
      { "location.latitude": "52.52", "location.longitude": "13.4", "location.name": "Shop" },
      { name: "Shop" },
    ],
    ["contact", { "contact.name": "Bo", "contact.phone": "+14155550111" }, [{ name: { formatted_name: "Bo" } }]],
    ["button_reply", { "reply.id": "yes", "reply.title": "Yes" }, { id: "yes", title: "Yes" }],
    ["list_reply", { "reply.id": "row-1", "reply.title": "Tea" }, { id: "row-1", title: "Tea" }],
    [
      "order",
      { "order.product_id": "tea", "order.quantity": "2", "order.price": "4.5", "order.currency": "EUR" },
      { products: [{ product_id: "tea", quantity: 2, price: 4.5, currency: "EUR" }] },
    ],
  ])("A simulated message of the kind %s arrives", async (kind, fields, content) => {
    const { play, last } = await bench();
    // The form also submits the hidden fields of other kinds.
    expect((await play({ kind, text: "Hello", "reply.id": "no", ...fields })).status).toBe(303);
    const message = await last();
    expect(message.type).toBe(kind === "contact" ? "contacts" : kind);
    expect(message.content).toMatchObject(content);
  });

  it("A simulated message can contain a file or a voice message", async () => {
    const { customer, play, last } = await bench();
    const { id } = await storeFile(customer);
    await play({ kind: "image", "media.media_id": id, "media.caption": "Our door" });
    expect(await last()).toMatchObject({ type: "image", content: { caption: "Our door" } });
    customer.world.advance(1000);
    await play({ kind: "voice", "media.media_id": id, "media.caption": "Our door" });
    expect(await last()).toMatchObject({ type: "audio", content: { voice: true } });
  });

  it("A simulated message shows errors next to the fields of its kind and keeps the input", async () => {
    const { customer, play } = await bench();
    const file = await play({ kind: "image", "media.media_id": "", "media.caption": "Our door" });
    expect(file.status).toBe(400);
    expect(file.body).toMatch(/id="file-simulate-media-media_id-fault"[^>]*>Choose a file\./);
    expect(file.body).toContain('value="Our door"');
    const order = await play({ kind: "order", "order.product_id": "tea", "order.quantity": "none" });
    expect(order.body).toContain('id="simulate-order-quantity-fault"');
    const reply = await play({ kind: "button_reply", "reply.id": "yes", "reply.title": "" });
    expect(reply.body).toContain('id="simulate-reply-title-fault">This field is required.');
    expect(reply.body).toMatch(/<option value="button_reply" selected/);
    expect((await play({ kind: "text", text: "" })).body).toContain('id="simulate-text-fault"');
    expect((await customer.call("GET", "/conversations")).body.conversations).toEqual([]);
  });
});
