import { beforeEach, describe, expect, it, vi } from "vitest";
import { stopClock } from "../support/clock.ts";
import { textOf } from "../support/page-text.ts";
import { World } from "../support/world.ts";

vi.setConfig({ testTimeout: 30_000 });
beforeEach(stopClock);

/** Returns the fields that a browser submits: `before` are the original values, and `typed` are the user's changes. */
function filled(token: string, before: Record<string, string>, typed: Record<string, string>): URLSearchParams {
  const form = new URLSearchParams({ csrf_token: token, ...before, ...typed });
  for (const [name, value] of Object.entries(before)) {
    form.append(`before.${name}`, "");
    form.append(`before.${name}`, value);
  }
  return form;
}

async function members() {
  const customer = await new World().customer();
  const [noor, owner] = [await customer.member("admin", "Noor"), await customer.member("owner", "Olu")];
  const settings = `/console/${customer.workspaceId}/settings`;
  await Promise.all([noor.get(`${settings}/tags`), owner.get(`${settings}/tags`)]);
  const save = (by: typeof noor, at: string, before: Record<string, string>, typed: Record<string, string>) =>
    by.request("POST", `${settings}${at}`, filled(by.token, before, typed));
  return { customer, noor, owner, settings, save };
}

describe("Simultaneous changes of settings", () => {
  it("A form with a new workspace name keeps the time zone that a colleague chose", async () => {
    const { noor, owner, settings, save } = await members();
    const page = String((await owner.get(`${settings}/workspace`)).body);
    const [, name = ""] = /name="before.name" value="([^"]+)"/.exec(page) ?? [];
    const before = { name, time_zone: "UTC" };
    expect((await save(noor, "/workspace", before, { time_zone: "Europe/Berlin" })).status).toBe(303);
    expect((await save(owner, "/workspace", before, { name: "Lumen" })).status).toBe(303);
    const after = String((await owner.get(`${settings}/workspace`)).body);
    expect(after).toContain('name="before.time_zone" value="Europe/Berlin"');
    expect(after).toContain('name="before.name" value="Lumen"');

    const late = await save(noor, "/workspace", before, { name: "Lumen Inc." });
    expect(late.status).toBe(412);
    expect(textOf(late)).toContain("Changed by someone else to “Lumen”.");
    expect(String(late.body)).toContain('value="Lumen Inc."');
    expect((await save(owner, "/workspace", before, { name: "Lumen" })).status).toBe(303);
  });

  it("A stored time zone in another spelling, such as europe/berlin, does not count as a change", async () => {
    const { customer, noor, settings, save } = await members();
    const typed = "UPDATE workspaces SET time_zone = 'europe/berlin' WHERE id = ?";
    await customer.world.env.DB.prepare(typed).bind(customer.workspaceId).run();
    const zone = async () => (await customer.manage("GET", "")).body.workspace.time_zone;
    expect(await zone()).toBe("Europe/Berlin");
    const page = String((await noor.get(`${settings}/workspace`)).body);
    expect(page).toMatch(/<option value="europe\/berlin" selected[^>]*>Europe\/Berlin</);
    expect(page).not.toContain('<option value="Europe/Berlin"');
    const before = { name: "Acme", time_zone: "europe/berlin" };
    expect((await save(noor, "/workspace", before, { name: "Lumen" })).status).toBe(303);
    expect((await save(noor, "/workspace", { ...before, name: "Lumen" }, { time_zone: "Asia/Tokyo" })).status).toBe(
      303,
    );
    expect(await zone()).toBe("Asia/Tokyo");
  });

  it("If a colleague has renamed a tag since the form was opened, a second rename is rejected and shows the current name", async () => {
    const { customer, noor, owner, save } = await members();
    const { tag } = (await customer.call("POST", "/tags", { name: "Vip", color: "#112233" })).body;
    const before = { name: "Vip", color: "#112233" };
    expect((await save(noor, `/tags/${tag.id}`, before, { name: "VIP" })).status).toBe(303);
    expect((await save(owner, `/tags/${tag.id}`, before, { color: "#445566" })).status).toBe(303);
    const late = await save(owner, `/tags/${tag.id}`, before, { name: "Important" });
    expect(late.status).toBe(412);
    expect(textOf(late)).toContain("Changed by someone else to “VIP”.");
    const { tags } = (await customer.call("GET", "/tags")).body;
    expect(tags).toMatchObject([{ name: "VIP", color: "#445566" }]);
    expect((await save(owner, `/tags/tag_nobodys`, before, { name: "Mine" })).status).toBe(404);
  });

  it("A form with a new label of a custom field keeps choices that a colleague added", async () => {
    const { customer, noor, owner, save } = await members();
    const field = { field_key: "size", label: "Size", type: "select", options: ["S", "M"] };
    const { id } = (await customer.call("POST", "/custom-fields", field)).body.custom_field;
    const before = { label: "Size", options: "S\nM" };
    expect((await save(noor, `/custom-fields/${id}`, before, { options: "S\nM\nL" })).status).toBe(303);
    expect((await save(owner, `/custom-fields/${id}`, before, { label: "Shirt size" })).status).toBe(303);
    expect((await save(owner, `/custom-fields/${id}`, before, { options: "S" })).status).toBe(412);
    const { custom_fields: fields } = (await customer.call("GET", "/custom-fields")).body;
    expect(fields).toMatchObject([{ label: "Shirt size", options: ["S", "M", "L"] }]);
  });

  it("A connection form keeps a colleague's changes, and rejects a name that is in use", async () => {
    const { customer, noor, owner, settings, save } = await members();
    const at = `/connections/${customer.connectionId}`;
    const page = String((await owner.get(`${settings}${at}`)).body);
    const of = (name: string) => new RegExp(`name="before.${name}" value="([^"]+)"`).exec(page)?.[1] ?? "";
    const before = { name: of("name"), messages_per_second: of("messages_per_second"), is_default: "true" };
    expect((await save(noor, at, before, { messages_per_second: "5" })).status).toBe(303);
    expect((await save(owner, at, before, { name: "Shop" })).status).toBe(303);
    expect((await save(noor, at, before, { name: "Store" })).status).toBe(412);
    const after = String((await owner.get(`${settings}${at}`)).body);
    expect(after).toContain('name="before.messages_per_second" value="5"');
    expect(after).toContain('name="before.name" value="Shop"');
  });

  it("A member's new role is not saved if the role has changed since the owner opened the page", async () => {
    const { customer, owner, save } = await members();
    const agent = await customer.member("agent", "Ben");
    const at = `/members/${agent.userId}/role`;
    expect((await save(owner, at, { role: "agent" }, { role: "admin" })).status).toBe(303);
    await save(owner, at, { role: "agent" }, { role: "owner" });
    const { members: all } = (await customer.call("GET", "/members")).body;
    expect(all.find(({ id }: { id: string }) => id === agent.userId)).toMatchObject({ role: "admin" });
  });
});
