import { beforeEach, describe, expect, it, vi } from "vitest";
import { stopClock } from "../support/clock.ts";
import { onShard } from "../support/storage.ts";
import { createTemplate } from "../support/templates.ts";
import { type Answer, type Customer, phoneEnding, World } from "../support/world.ts";

// The first test of a file is slow, because it loads the code for password hashing.
vi.setConfig({ testTimeout: 30_000 });

beforeEach(stopClock);

const at = (customer: Customer, below = "") => `/console/${customer.workspaceId}/contacts${below}`;

const create = async (customer: Customer, body: object): Promise<Answer["body"]> =>
  (await customer.call("POST", "/contacts", body)).body.contact;

describe("Contact list", () => {
  it("The contact list can be searched and filtered, and lists archived contacts separately", async () => {
    const customer = await new World().customer();
    const agent = await customer.member("agent");
    const ada = { name: "Ada Lovelace", email: "ada@example.com", status: "hot", tags: ["vip"] };
    await create(customer, ada);
    await create(customer, { name: "Grace Hopper", email: "grace@example.com" });
    const gone = await create(customer, { name: "Alan Turing", email: "alan@example.com" });
    await customer.call("DELETE", `/contacts/${gone.id}`);
    const shown = async (query: string) => {
      const { body } = await agent.get(at(customer, query));
      return ["Ada Lovelace", "Grace Hopper", "Alan Turing"].filter((name) => body.includes(`${name}</a>`));
    };
    expect(await shown("")).toEqual(["Ada Lovelace", "Grace Hopper"]);
    expect(await shown("?search=LOVE&tag=&status=")).toEqual(["Ada Lovelace"]);
    expect(await shown("?tag=vip")).toEqual(["Ada Lovelace"]);
    expect(await shown("?status=new")).toEqual(["Grace Hopper"]);
    expect(await shown("?source=elsewhere")).toEqual([]);
    expect(await shown("?archived=true")).toEqual(["Alan Turing"]);
    expect((await agent.get(at(customer, "?colour=red"))).status).toBe(400);
  });

  it("Later pages of the contact list keep the filter", async () => {
    const customer = await new World().customer();
    const agent = await customer.member("agent");
    for (const name of ["Anna A", "Anna B", "Anna C"]) await create(customer, { name, phone: phoneEnding("1000") });
    const first = (await agent.get(at(customer, "?search=anna&limit=2"))).body;
    expect(first).toContain("Anna C");
    expect(first).not.toContain("Anna A");
    const next: string = /href="([^"]+)" rel="next"/.exec(first)?.[1] ?? "";
    const second = (await agent.get(next.replaceAll("&amp;", "&"))).body;
    expect(second).toContain("Anna A");
    expect(second).not.toContain("Anna C");
    expect(second).not.toContain('rel="next"');
  });

  it("The empty contact list suggests the next step", async () => {
    const customer = await new World().customer();
    const agent = await customer.member("agent");
    expect((await agent.get(at(customer))).body).toContain("Import a CSV file");
    expect((await agent.get(at(customer, "?search=nobody"))).body).toContain("Show all contacts");
  });
});

describe("Contact page", () => {
  it("A contact page shows the contact's values, and links to the conversations", async () => {
    const customer = await new World().customer();
    const agent = await customer.member("agent");
    await customer.call("POST", "/custom-fields", { field_key: "home", label: "Home country", type: "country" });
    const phone = phoneEnding("2000");
    const sent = (await customer.send(phone, "Good morning")).body;
    const patch = { name: "Ada <3", custom_fields: { home: "BR" }, tags: ["vip"] };
    await customer.call("PATCH", `/contacts/${sent.contact_id}`, patch);
    const { status, body } = await agent.get(at(customer, `/${sent.contact_id}`));
    expect(status).toBe(200);
    for (const text of ["Ada &lt;3", phone, "Home country", "Brazil", "vip", "Good morning"])
      expect(body).toContain(text);
    expect(body).toContain(`/console/${customer.workspaceId}/inbox/${sent.conversation_id}"`);
  });

  it("The page of a contact without a conversation lists the received campaigns, and links to them if the member may open campaigns", async () => {
    const customer = await new World().customer();
    const contact = await create(customer, { name: "Ada", phone: phoneEnding("2000") });
    const template_id = await createTemplate(customer, "Hello");
    for (const name of ["Spring", "Autumn"]) {
      await customer.call("POST", "/campaigns", { template_id, channel: "unofficial", name });
      await customer.world.settle();
    }
    const [agent, admin] = [await customer.member("agent"), await customer.member("admin")];
    const page = (await admin.get(at(customer, `/${contact.id}`))).body;
    expect(page).toMatch(/Only campaigns were sent so far: <a href="[^"]*campaigns[^"]*">Autumn<\/a>, <a [^>]*>Spring/);
    expect((await agent.get(at(customer, `/${contact.id}`))).body).toContain("so far: Autumn, Spring.");
  });

  it("If a contact has received very many campaigns, the contact page lists only the latest", async () => {
    const customer = await new World().customer();
    const contact = await create(customer, { name: "Ada", phone: phoneEnding("2000") });
    const template_id = await createTemplate(customer, "Hello");
    const start = async (name: string) => {
      await customer.call("POST", "/campaigns", { template_id, channel: "unofficial", name });
      await customer.world.settle();
    };
    await start("Oldest");
    const copies = `WITH RECURSIVE n(at) AS (SELECT 10 UNION ALL SELECT at + 1 FROM n WHERE at < 70)
      INSERT INTO messages (id, workspace_id, contact_seq, connection_id, campaign_id, from_contact, address, body, state, created_at)
      SELECT substr(m.id, 1, length(m.id) - 2) || n.at, m.workspace_id, m.contact_seq, m.connection_id, m.campaign_id,
        m.from_contact, m.address, m.body, m.state, m.created_at FROM messages m JOIN n WHERE m.workspace_id = ?`;
    await onShard(customer, copies, customer.workspaceId);
    vi.setSystemTime(Date.now() + 1000);
    await start("Latest");
    const admin = await customer.member("admin");
    expect((await admin.get(at(customer, `/${contact.id}`))).body).toMatch(/>Latest<\/a>, <a [^>]*>Oldest/);
  });

  it("A contact page returns 404 for a missing contact and for another workspace's contact", async () => {
    const world = new World();
    const [mine, theirs] = [await world.customer(), await world.customer()];
    const agent = await mine.member("agent");
    const contact = await create(theirs, { name: "Secret", phone: phoneEnding("2001") });
    expect((await agent.post(at(mine, `/${contact.id}/edit`), { name: "Mine" })).status).toBe(404);
    for (const below of [`/${contact.id}`, `/${contact.id}/edit`, "/ct_unknown"]) {
      const { status, body } = await agent.get(at(mine, below));
      expect([below, status]).toEqual([below, 404]);
      expect(body).not.toContain("Secret");
    }
    expect((await agent.get(at(theirs, `/${contact.id}`))).status).toBe(403);
    await agent.get(at(mine));
    await agent.post(at(mine, `/${contact.id}/archive`));
    expect((await theirs.call("GET", `/contacts/${contact.id}`)).body.contact).toMatchObject({
      name: "Secret",
      is_archived: false,
    });
  });

  it("A contact page shows an opt-out as “Unsubscribed”, and a date in words", async () => {
    const customer = await new World().customer();
    const agent = await customer.member("agent");
    await customer.call("POST", "/custom-fields", { field_key: "renewal", label: "Renewal", type: "date" });
    const custom_fields = { renewal: "2027-01-31" };
    const { id } = await create(customer, { phone: phoneEnding("2007"), is_unsubscribed: true, custom_fields });
    const pages = await Promise.all(["", `/${id}`].map((below) => agent.get(at(customer, below))));
    for (const { body } of pages) {
      expect(body).toContain("Unsubscribed");
      expect(body).not.toMatch(/opted out/i);
    }
    expect(pages[1]?.body).toContain('<time datetime="2027-01-31">31 Jan 2027</time>');
  });

  it("A contact page asks for a confirmation before it unsubscribes a contact", async () => {
    const customer = await new World().customer();
    const agent = await customer.member("agent");
    const { id } = await create(customer, { name: "Ada", phone: phoneEnding("2008") });
    const { body } = await agent.get(at(customer, `/${id}`));
    const dialog = /<dialog id="unsubscribe".*?<\/dialog>/s.exec(body)?.[0] ?? "";
    expect(dialog).toContain("Unsubscribe Ada?");
    expect(dialog).toContain("will receive no more messages");
    expect(dialog).toContain("/opt-out");
    expect(body.replace(dialog, "")).not.toContain("/opt-out");
  });

  it("A contact page can opt a contact out and in, archive it and restore it", async () => {
    const customer = await new World().customer();
    const agent = await customer.member("agent");
    const { id } = await create(customer, { phone: phoneEnding("2002") });
    const state = async () => {
      const { is_unsubscribed: out, is_archived: archived } = (await customer.call("GET", `/contacts/${id}`)).body
        .contact;
      return { out, archived };
    };
    for (const [button, expected] of [
      ["opt-out", { out: true, archived: false }],
      ["archive", { out: true, archived: true }],
      ["restore", { out: true, archived: false }],
      ["opt-in", { out: false, archived: false }],
    ] as const) {
      const answer = await agent.post(at(customer, `/${id}/${button}`));
      expect(answer.status, button).toBe(303);
      expect(await state(), button).toEqual(expected);
    }
  });

  it("If a contact cannot be restored, the page links to the contact that has its phone", async () => {
    const customer = await new World().customer();
    const agent = await customer.member("agent");
    const phone = phoneEnding("2003");
    const old = await create(customer, { phone });
    await customer.call("DELETE", `/contacts/${old.id}`);
    const other = await create(customer, { email: "new@example.com" });
    await customer.call("PATCH", `/contacts/${other.id}`, { phone });
    const answer = await agent.post(at(customer, `/${old.id}/restore`));
    expect(answer.status).toBe(409);
    expect(answer.body).toContain("Another active contact has this phone.");
    expect(answer.body).toContain(at(customer, `/${other.id}"`));
  });
});
