import { beforeEach, describe, expect, it, vi } from "vitest";
import { formOf } from "../support/campaign-pages.ts";
import { stopClock } from "../support/clock.ts";
import { textOf } from "../support/page-text.ts";
import { createTemplate } from "../support/templates.ts";
import { phoneEnding, World } from "../support/world.ts";

vi.setConfig({ testTimeout: 30_000 });
beforeEach(stopClock);

const filter = { match: "all", conditions: [{ field: "status", op: "eq", value: "hot" }] };

const contact = { path: "/contacts", name: "contact", make: { phone: phoneEnding("1234") }, change: { name: "Ann" } };
const segment = { path: "/segments", name: "segment", make: { name: "Hot", filter }, change: { name: "Warm" } };
const reply = {
  path: "/canned-replies",
  name: "canned_reply",
  make: { shortcut: "a", body: "A" },
  change: { body: "B" },
};
const webhook = {
  path: "/webhooks",
  name: "webhook",
  make: { url: "https://hooks.example.com/a", types: ["*"] },
  change: { description: "Ours" },
};
const template = { path: "/templates", name: "template", make: null, change: { body: "Another" } };

/** A record, a page with a button, and the path to which the button posts. */
const buttons = [
  { record: contact, page: "/contacts/:id", action: "/archive" },
  {
    record: { ...contact, make: { ...contact.make, is_unsubscribed: true } },
    page: "/contacts/:id",
    action: "/opt-in",
  },
  { record: segment, page: "/segments/:id", action: "/delete" },
  { record: template, page: "/templates/:id/delete", action: "/delete" },
  { record: reply, page: "/settings/canned-replies", action: "/delete" },
  { record: webhook, page: "/settings/webhooks/:id", action: "/pause" },
  { record: webhook, page: "/settings/webhooks/:id", action: "/delete" },
];

describe("Outdated pages", () => {
  it.each(buttons)(
    "A button has no effect if its record has changed since the page was opened: $page $action",
    async ({ record: { path, name, make, change }, page, action }) => {
      const customer = await new World().customer();
      const admin = await customer.member("admin");
      const made = make === null ? null : (await customer.call("POST", path, make)).body[name].id;
      const id: string = made ?? (await createTemplate(customer, "Hello"));
      const at = `/console/${customer.workspaceId}${page.replace(":id", id)}`;
      const fields = formOf(await admin.get(at), `/${id}${action}`);
      expect(fields["revision"]).toMatch(/^\d+$/);
      expect((await customer.call("PATCH", `${path}/${id}`, change)).status).toBe(200);
      const before = (await customer.call("GET", `${path}/${id}`)).body[name];
      const target = `/console/${customer.workspaceId}${page.replace(/\/:id.*/, "")}/${id}${action}`;
      const refused = await admin.post(target, fields, { headers: { Referer: `http://tidings.test${at}` } });
      expect([refused.status, refused.headers.get("Location")]).toEqual([303, at]);
      expect(textOf(await admin.get(at))).toContain("Somebody else changed this since you read it.");
      expect((await customer.call("GET", `${path}/${id}`)).body[name]).toEqual(before);
      const again = await admin.post(target, formOf(await admin.get(at), `/${id}${action}`));
      expect(again.status).toBe(303);
      const after = await customer.call("GET", `${path}/${id}`);
      expect(after.status === 404 || JSON.stringify(after.body[name]) !== JSON.stringify(before)).toBe(true);
    },
  );

  it("If a contact has changed since the page was opened, the opt-out button still works and keeps the other changes", async () => {
    const customer = await new World().customer();
    const admin = await customer.member("admin");
    const { id } = (await customer.call("POST", "/contacts", contact.make)).body.contact;
    const at = `/console/${customer.workspaceId}/contacts/${id}`;
    const fields = formOf(await admin.get(at), `/${id}/opt-out`);
    await customer.call("PATCH", `/contacts/${id}`, { name: "Ann" });
    expect((await admin.post(`${at}/opt-out`, fields)).status).toBe(303);
    expect(textOf(await admin.get(at))).toContain("Contact unsubscribed. They receive no more messages.");
    const after = (await customer.call("GET", `/contacts/${id}`)).body.contact;
    expect(after).toMatchObject({ name: "Ann", is_unsubscribed: true });
  });
});
