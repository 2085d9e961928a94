import { beforeEach, describe, expect, it, vi } from "vitest";
import { newContacts } from "../support/bulk.ts";
import { stopClock } from "../support/clock.ts";
import type { Visitor } from "../support/visitor.ts";
import { World } from "../support/world.ts";

// The first test of a file is slow, because it loads the code for password hashing.
vi.setConfig({ testTimeout: 30_000 });

beforeEach(stopClock);

async function scene() {
  const customer = await new World().customer();
  const agent = await customer.member("agent");
  const at = `/console/${customer.workspaceId}/contacts`;
  await agent.get(at);
  return { customer, agent, at };
}

const headings = (page: string) =>
  Array.from(page.matchAll(/<th scope="col"[^>]*>(?:<a [^>]*>)?([^<]*)</g), ([, label = ""]) => label.trim());

const tabs = (page: string) =>
  Array.from(page.matchAll(/<nav class="tabs views".*?<\/nav>/gs), ([nav]) =>
    Array.from(nav.matchAll(/>([^<]+)<\/a>/g), ([, name]) => name),
  ).flat();

const currentTab = (page: string) => /<a [^>]*aria-current="page"[^>]*>([^<]+)<\/a><\/li>/.exec(tabsOf(page))?.[1];
const tabsOf = (page: string) => /<nav class="tabs views".*?<\/nav>/s.exec(page)?.[0] ?? "";

const save = (agent: Visitor, at: string, name: string, query: string, more: Record<string, string> = {}) =>
  agent.post(`${at}/views`, { name, query, ...more });

/** Submits a form and returns the error that its page shows. */
async function refusal(agent: Visitor, at: string, send: (headers: Record<string, string>) => Promise<unknown>) {
  await send({ Referer: `https://console.test${at}` });
  return (await agent.get(at)).body;
}

/** The id of the only view, read from its forms. */
async function onlyView(agent: Visitor, at: string, query: string): Promise<string> {
  return /contacts\/views\/(view_\w+)"/.exec((await agent.get(`${at}?${query}`)).body)?.[1] ?? "";
}

describe("Columns of the contact list", () => {
  it("The column form of the contact list keeps the filters, and always includes the name", async () => {
    const { customer, agent, at } = await scene();
    await customer.call("POST", "/custom-fields", { field_key: "home", label: "Home country", type: "country" });
    await newContacts(customer, 3, { name: "Ann", company: "Acme", custom_fields: { home: "BR" } });
    expect(headings((await agent.get(at)).body)).toEqual(["Name", "Phone", "Email", "Status", "Tags"]);
    const { body } = await agent.get(`${at}?search=ann&limit=2&columns=name&columns=home&columns=company`);
    expect(headings(body)).toEqual(["Name", "Company", "Home country"]);
    for (const text of ["Acme", "Brazil", '<input type="hidden" name="search" value="ann"'])
      expect(body).toContain(text);
    const next: string = /href="([^"]+)" rel="next"/.exec(body)?.[1] ?? "";
    expect(headings((await agent.get(next.replaceAll("&amp;", "&"))).body)).toEqual([
      "Name",
      "Company",
      "Home country",
    ]);
    expect(headings((await agent.get(`${at}?columns=name`)).body)).toEqual(["Name"]);
  });

  it("The contact list has at most twelve columns, and ignores unknown columns", async () => {
    const { customer, agent, at } = await scene();
    const keys = ["f1", "f2", "f3", "f4", "f5"];
    for (const key of keys)
      await customer.call("POST", "/custom-fields", { field_key: key, label: key.toUpperCase(), type: "text" });
    await newContacts(customer, 1);
    expect(headings((await agent.get(`${at}?columns=gone,constructor,created_at`)).body)).toEqual(["Name", "Created"]);
    const own = "phone,email,company,status,lifecycle_stage,source,tags,created_at,updated_at";
    expect(headings((await agent.get(`${at}?columns=${own},${keys.join(",")}`)).body)).toHaveLength(12);
  });
});

describe("Saved views of contacts", () => {
  it("A saved view is a tab with filters and columns, and all members see it", async () => {
    const { customer, agent, at } = await scene();
    await newContacts(customer, 1, { name: "Hot One", status: "hot" });
    await newContacts(customer, 1, { name: "Cold One", email: "cold@example.com", status: "cold" });
    expect(tabs((await agent.get(at)).body)).toEqual([]);
    const saved = await save(agent, at, "Hot", "status=hot&columns=name,company");
    expect(saved.status).toBe(303);
    const colleague = await customer.member("agent");
    const page = (await colleague.get(saved.headers.get("Location") ?? "")).body;
    expect(tabs(page)).toEqual(["All contacts", "Hot"]);
    expect(currentTab(page)).toBe("Hot");
    expect(headings(page)).toEqual(["Name", "Company"]);
    expect(page).toContain("Hot One");
    expect(page).not.toContain("Cold One");
    expect(currentTab((await colleague.get(at)).body)).toBe("All contacts");
  });

  it("Only admins and the author can rename or delete a saved view", async () => {
    const { customer, agent, at } = await scene();
    await save(agent, at, "Hot", "status=hot");
    const id = await onlyView(agent, at, "status=hot");
    const [other, admin] = [await customer.member("agent"), await customer.member("admin")];
    expect(await onlyView(other, at, "status=hot")).toBe("");
    const refused = await refusal(other, at, (headers) =>
      other.post(`${at}/views/${id}`, { name: "Mine" }, { headers }),
    );
    expect(refused).toContain("Only admins and the creator of the view can do this");
    await other.post(`${at}/views/${id}/delete`);
    expect(tabs((await agent.get(at)).body)).toEqual(["All contacts", "Hot"]);
    await agent.post(`${at}/views/${id}`, { name: "HOT" });
    expect(tabs((await agent.get(at)).body)).toEqual(["All contacts", "HOT"]);
    await admin.get(at);
    await admin.post(`${at}/views/${id}/delete`);
    expect((await admin.get(at)).body).toContain("View HOT deleted.");
    expect(tabs((await agent.get(at)).body)).toEqual([]);
  });

  it("A saved view needs a valid filter and a name that no other view has, and the number of views is limited", async () => {
    const { agent, at } = await scene();
    const refused = (name: string, query: string) =>
      refusal(agent, at, (headers) => agent.post(`${at}/views`, { name, query }, { headers }));
    await save(agent, at, "Hot", "status=hot");
    expect(await refused("ｈＯＴ", "status=cold")).toContain("Another view has this name.");
    await refused("", "status=cold");
    await refused("Odd", "colour=red");
    expect(tabs((await agent.get(at)).body)).toEqual(["All contacts", "Hot"]);
    for (let n = 2; n <= 50; n++) await save(agent, at, `View ${n}`, "status=cold");
    expect(await refused("One more", "status=cold")).toContain("A workspace has at most 50 views.");
    const id = await onlyView(agent, at, "status=hot");
    await agent.post(`${at}/views/${id}`, { name: "view 2" });
    expect(tabs((await agent.get(at)).body)).toHaveLength(51);
    expect(tabs((await agent.get(at)).body)).toContain("Hot");
  });

  it("A saved view is stored or deleted once, even if the form is sent twice", async () => {
    const { agent, at } = await scene();
    const once = /name="once" value="([^"]+)"/.exec((await agent.get(`${at}?status=hot`)).body)?.[1] ?? "";
    const both = await Promise.all([1, 2].map(() => save(agent, at, "Hot", "status=hot", { once })));
    expect(both.map(({ headers }) => headers.get("Location"))).toEqual([`${at}?status=hot`, `${at}?status=hot`]);
    await Promise.all(["Cold", "cold"].map((name) => save(agent, at, name, "status=cold")));
    expect(tabs((await agent.get(at)).body)).toHaveLength(3);
    const id = await onlyView(agent, at, "status=hot");
    for (const _ of [1, 2]) {
      await agent.post(`${at}/views/${id}/delete`, { once });
      expect((await agent.get(at)).body).toContain("View Hot deleted.");
    }
  });

  it("A saved view of another workspace returns the same error as a missing view", async () => {
    const { agent, at, customer } = await scene();
    const theirs = await customer.world.customer();
    const stranger = await theirs.member("admin");
    const there = `/console/${theirs.workspaceId}/contacts`;
    await stranger.get(there);
    await save(agent, at, "Hot", "status=hot");
    const id = await onlyView(agent, at, "status=hot");
    for (const below of [`/${id}`, `/${id}/delete`, "/view_unknown"]) {
      const send = (headers: Record<string, string>) =>
        stranger.post(`${there}/views${below}`, { name: "Mine" }, { headers });
      expect(await refusal(stranger, there, send)).toContain("No such view.");
    }
    expect(tabs((await agent.get(at)).body)).toEqual(["All contacts", "Hot"]);
  });
});
