import { beforeEach, describe, expect, it } from "vitest";
import { stopClock } from "../support/clock.ts";
import { at, written } from "../support/inbox.ts";
import { textOf } from "../support/page-text.ts";
import { phoneEnding, World } from "../support/world.ts";

beforeEach(stopClock);

describe("The sender of a message of ours", () => {
  it("is named to colleagues and is You to themselves, and software is named in the details", async () => {
    const customer = await new World().customer();
    const id = await written(customer);
    const [olga, mia] = [await customer.member("agent", "Olga"), await customer.member("agent", "Mia Novak")];
    customer.world.advance(1000);
    expect((await mia.post(at(customer, `/${id}`), { text: "It left today" })).status).toBe(303);
    customer.world.advance(1000);
    const sent = await customer.call("POST", `/conversations/${id}/messages`, { text: "It has arrived" });
    const { messages } = (await customer.call("GET", `/conversations/${id}/messages`)).body;
    const byMia = messages.find(({ body }: { body: string }) => body === "It left today").id;
    const seen = textOf(await olga.get(at(customer, `/${id}`)));
    expect(seen).toMatch(/Mia Novak: It left today/);
    expect(seen).toMatch(/You: It has arrived/);
    expect(textOf(await mia.get(at(customer, `/${id}`)))).toMatch(/You: It left today/);
    const details = async (message: string) => textOf(await olga.get(at(customer, `/${id}/messages/${message}`)));
    expect(await details(byMia)).toMatch(/Sent by Mia Novak/);
    expect(await details(sent.body.message_id)).toMatch(/Sent by API key \S/);
  });
});

describe("The last message of a conversation in lists", () => {
  it("is told to be ours or theirs, and the overview shows what they wrote last", async () => {
    const customer = await new World().customer();
    const phone = phoneEnding("1234");
    await customer.receive(phone, "Is my order on its way?");
    const admin = await customer.member("admin");
    const list = async () => textOf(await admin.get(at(customer)));
    expect(await list()).not.toMatch(/You: |Team: /);
    customer.world.advance(1000);
    await customer.send(phone, "It left today");
    expect(await list()).toContain("Team: It left today");
    const mia = await customer.member("agent", "Mia Novak");
    const [{ id }] = (await customer.call("GET", "/conversations")).body.conversations;
    customer.world.advance(1000);
    expect((await mia.post(at(customer, `/${id}`), { text: "It is close" })).status).toBe(303);
    expect(textOf(await mia.get(at(customer)))).toContain("You: It is close");
    expect(await list()).toContain("Mia Novak: It is close");
    customer.world.advance(1000);
    await customer.receive(phone, "Great");
    const overview = textOf(await admin.get(`/console/${customer.workspaceId}/overview`));
    expect(overview).toMatch(/Waiting for an answer.*Great/s);
    const contact = (await customer.call("POST", "/contacts", { phone: phoneEnding("0002") })).body.contact;
    expect((await customer.call("POST", "/conversations", { contact_id: contact.id })).status).toBe(201);
    expect(textOf(await admin.get(`/console/${customer.workspaceId}/contacts/${contact.id}`))).toContain(
      "No message yet",
    );
  });
});
