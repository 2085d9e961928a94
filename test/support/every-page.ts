import { openLivePage } from "./live.ts";
import { storeFile } from "./media.ts";
import { createTemplate } from "./templates.ts";
import { type Customer, phoneEnding } from "./world.ts";

export async function useInbox(customer: Customer): Promise<void> {
  const { world, workspaceId } = customer;
  const admin = await customer.member("admin");
  const at = `/console/${workspaceId}`;
  const phone = phoneEnding("1234");
  await customer.receive(phone, "Hello", "Page Visitor");
  await customer.receive(phone, "Anybody there?");
  const [{ id }] = (await customer.call("GET", "/conversations?limit=1")).body.conversations;
  const template = await createTemplate(customer, "Hello {{name}}");

  await admin.get(`${at}/overview`);
  const { next_cursor: more } = (await customer.call("GET", "/conversations?limit=1")).body;
  const searches = ["search=visitor", "search=visitor&status=all", "search=visitor&unread=true"];
  for (const query of ["", "status=done&unread=true", ...searches]) {
    await admin.get(`${at}/inbox?${query}`);
    await admin.get(`${at}/inbox?${query}&cursor=${more}`);
  }
  await admin.get(`${at}/inbox/${id}?compose=template&template=${template}`);
  const { next_cursor: older } = (await customer.call("GET", `/conversations/${id}/messages?limit=1`)).body;
  await admin.get(`${at}/inbox/${id}?before=${older}`);
  const [{ id: message }] = (await customer.call("GET", `/conversations/${id}/messages?limit=1`)).body.messages;
  const picture = await storeFile(customer);
  await admin.post(`${at}/inbox/${id}`, { text: "A caption", media_id: picture.id, reply_to: message });
  await admin.post(`${at}/inbox/${id}/react`, { message_id: message, emoji: "👍" });
  await admin.get(`${at}/inbox/${id}/messages/${message}`);
  await admin.post(`${at}/inbox/${id}`, { text: "A reply" });
  await admin.post(`${at}/inbox/${id}/template`, { template_id: template });
  await admin.get(`${at}/inbox/${id}`);
  await admin.post(`${at}/inbox/${id}/note`, { body: "@Admin" });
  await admin.get(`${at}/inbox?mentioned=true`);
  await admin.post(`${at}/inbox/${id}/change`, { status: "done" });
  const [before, after] = [JSON.stringify({ status: "open", snoozed_until: null }), JSON.stringify({ status: "done" })];
  await admin.post(`${at}/inbox/${id}/undo`, { before, after });
  await admin.post(`${at}/inbox/bulk`, { ids: id, act: "open" });
  await world.settle();
}

export async function useContactPages(customer: Customer, contactId: string): Promise<void> {
  const admin = await customer.member("admin");
  const at = `/console/${customer.workspaceId}`;
  for (const page of [`/contacts/${contactId}`, "/contacts/export", "/contacts/export.csv"]) await admin.get(at + page);
  const { jobs } = (await customer.call("GET", "/jobs?limit=1")).body;
  for (const sort of ["created_at", "name", "-name"]) {
    const first = (await admin.get(`${at}/contacts?limit=1&sort=${sort}`)).body;
    await admin.get(/href="([^"]+)" rel="next"/.exec(first)?.[1]?.replaceAll("&amp;", "&") ?? "");
  }
  for (const below of ["/merge", "/merge?search=ada", "/conversation"])
    await admin.get(`${at}/contacts/${contactId}${below}`);
  await admin.get(`${at}/contacts/jobs/${jobs[0]?.id}`);
  await admin.post(`${at}/contacts/bulk/choose`, { scope: "all", "filter.search": "ada" });
  const saved = await admin.post(`${at}/contacts/views`, { name: "Ada", query: "search=ada" });
  const list = (await admin.get(saved.headers.get("Location") ?? "")).body;
  const view = /contacts\/views\/(view_\w+)"/.exec(list)?.[1];
  await admin.post(`${at}/contacts/views/${view}`, { name: "Adas" });
  await admin.post(`${at}/contacts/views/${view}/delete`);
  await admin.get(`${at}/segments/new`);
  const condition = { "filter.conditions.0.field": "name", "filter.conditions.0.op": "is_set" };
  await admin.post(`${at}/segments/new`, { "filter.match": "all", ...condition });
}

export async function useEventPages(customer: Customer): Promise<void> {
  const admin = await customer.member("admin");
  const at = `/console/${customer.workspaceId}/settings`;
  const { webhook } = (await customer.call("POST", "/webhooks", { url: "https://example.org/", types: ["*"] })).body;
  for (const query of ["", "types=tag.*", "cursor=WzEwXQ"]) await admin.get(`${at}/events?${query}`);
  const page = await openLivePage(admin, customer.workspaceId);
  await customer.call("POST", "/tags", { name: "Seen at once" });
  await page.changes("tag.created");
  await page.leave();
  await admin.get(`${at}/webhooks`);
  await admin.get(`${at}/webhooks/${webhook.id}`);
  await admin.post(`${at}/webhooks/${webhook.id}/replay`, {
    only: "all",
    from: "2026-01-01T00:00",
    to: "2026-01-02T00:00",
  });
  await admin.post(`${at}/webhooks/${webhook.id}/delete`);
}
