import { beforeEach, describe, expect, it } from "vitest";
import { stopClock } from "../support/clock.ts";
import { at, written } from "../support/inbox.ts";
import { textOf } from "../support/page-text.ts";
import { phoneEnding, World } from "../support/world.ts";

beforeEach(stopClock);

describe("Senders of messages", () => {
  it("A message shows its sender: a name, “You” for the reader's own messages, or “API” for software", async () => {
    const customer = await new World().customer();
    const id = await written(customer);
    const [olga, mia] = [await customer.member("agent", "Olga"), await customer.member("agent", "Mia Novak")];
    customer.world.advance(1000);
    expect((await mia.post(at(customer, `/${id}`), { text: "It left today" })).status).toBe(303);
    customer.world.advance(1000);
    const sent = await customer.call("POST", `/conversations/${id}/messages`, { text: "It has arrived" });
    const { messages } = (await customer.call("GET", `/conversations/${id}/messages`)).body;
    const byMia = messages.find(({ body }: { body: string }) => body === "It left today").id;
    const page = await olga.get(at(customer, `/${id}`));
    const seen = textOf(page);
    expect(seen).toMatch(/Mia Novak: It left today/);
    expect(seen).toMatch(/API: It has arrived.* API · /s);
    expect(page.body).toContain("Message options: API, “It has arrived”");
    expect(seen).not.toContain("You: ");
    expect(textOf(await mia.get(at(customer, `/${id}`)))).toMatch(/You: It left today/);
    const details = async (message: string) => textOf(await olga.get(at(customer, `/${id}/messages/${message}`)));
    expect(await details(byMia)).toMatch(/Sent by Mia Novak/);
    expect(await details(sent.body.message_id)).toMatch(/API key \S+: It has arrived.*Sent by API key \S/s);
  });
});

describe("Last messages in lists", () => {
  it("The inbox list shows who sent the last message, and the overview shows the contact's last text", async () => {
    const customer = await new World().customer();
    const phone = phoneEnding("1234");
    await customer.receive(phone, "Is my order on its way?");
    const admin = await customer.member("admin");
    const list = async () => textOf(await admin.get(at(customer)));
    expect(await list()).not.toMatch(/You: |Team: |API: /);
    customer.world.advance(1000);
    await customer.send(phone, "It left today");
    expect(await list()).toContain("API: It left today");
    const mia = await customer.member("agent", "Mia Novak");
    const [{ id }] = (await customer.call("GET", "/conversations")).body.conversations;
    customer.world.advance(1000);
    expect((await mia.post(at(customer, `/${id}`), { text: "It is close" })).status).toBe(303);
    expect(textOf(await mia.get(at(customer)))).toContain("You: It is close");
    expect(await list()).toContain("Mia Novak: It is close");
    const byName = (visitor: typeof mia) => visitor.get(at(customer, "?status=all&search=1234"));
    expect(textOf(await byName(mia))).toContain("You: It is close");
    expect(textOf(await byName(admin))).toContain("Mia Novak: It is close");
    const { contact } = (await customer.call("GET", `/conversations/${id}`)).body.conversation;
    const contactPage = `/console/${customer.workspaceId}/contacts/${contact.id}`;
    expect(textOf(await mia.get(contactPage))).toContain("You: It is close");
    expect(textOf(await admin.get(contactPage))).toContain("Team: It is close");
    customer.world.advance(1000);
    await customer.receive(phone, "Great");
    const overview = textOf(await admin.get(`/console/${customer.workspaceId}/overview`));
    expect(overview).toMatch(/Unanswered.*Great/s);
    const another = (await customer.call("POST", "/contacts", { phone: phoneEnding("0002") })).body.contact;
    expect((await customer.call("POST", "/conversations", { contact_id: another.id })).status).toBe(201);
    expect(textOf(await admin.get(`/console/${customer.workspaceId}/contacts/${another.id}`))).toContain(
      "No messages yet",
    );
  });
});
