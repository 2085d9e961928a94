// Pages of the console, in every variant that makes SQL of its own.
import { createTemplate } from "./templates.ts";
import { type Customer, phoneEnding } from "./world.ts";

/** The inbox and the overview. */
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
  await admin.post(`${at}/inbox/${id}`, { text: "A reply" });
  await admin.post(`${at}/inbox/${id}/template`, { template_id: template });
  await admin.post(`${at}/inbox/${id}/status`, { status: "done" });
  await world.settle();
}

/** The pages of contacts and segments, which ask what no call asks. */
export async function useContactPages(customer: Customer, contactId: string): Promise<void> {
  const admin = await customer.member("admin");
  const at = `/console/${customer.workspaceId}`;
  for (const page of [`/contacts/${contactId}`, "/contacts/export", "/contacts/export.csv"]) await admin.get(at + page);
  await admin.get(`${at}/segments/new`);
  const condition = { "filter.conditions.0.field": "name", "filter.conditions.0.op": "is_set" };
  await admin.post(`${at}/segments/new`, { "filter.match": "all", ...condition });
}
