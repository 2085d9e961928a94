import { useBulk } from "./every-bulk.ts";
import { useExternalTemplates } from "./every-external-template.ts";
import { onShard } from "./storage.ts";
import { type Customer, phoneEnding } from "./world.ts";

export const once = () => ({ headers: { "Idempotency-Key": crypto.randomUUID() } });

/** Sends every kind of message to every kind of addressee, so that each SQL statement runs. */
export async function useMessages(customer: Customer): Promise<void> {
  const { world } = customer;
  await customer.call("GET", "/me");
  const to = phoneEnding("1234");
  await customer.receive(to, "Hi");
  const { contact_id, conversation_id: conversationId } = (await customer.send(to)).body;
  const [, { id: reply_to }] = (await customer.call("GET", `/conversations/${conversationId}/messages`)).body.messages;
  const media_id = "med_every_call";
  await onShard(
    customer,
    "INSERT INTO media (id, workspace_id, status, mime_type, bytes, sha256, source, created_at) VALUES (?, ?, 'stored', 'image/png', 9, 'ab', '{}', 0)",
    media_id,
    customer.workspaceId,
  );
  const send_at = new Date(Date.now() + 60_000).toISOString();
  const sent = [
    { to, image: { media_id, caption: "Look" }, reply_to, metadata: { order: "1" } },
    { to, image: { url: "https://example.com/a.png" } },
    { contact_id, location: { latitude: 1, longitude: 2 } },
    { user_id: "every-call", text: "Hi" },
    { to, reaction: { message_id: reply_to, emoji: "👍" } },
    { to, text: "Later", send_at },
    { to, text: "Never", send_at },
  ];
  let last = "";
  for (const body of sent) last = (await customer.call("POST", "/messages", body, once())).body.message_id;
  await customer.call("POST", `/messages/${last}/cancel`, undefined, once());
  for (const options of [once(), {}])
    await customer.call(
      "POST",
      "/messages/batch",
      { messages: [...sent, { contact_id: "ct_unknown", text: "Hi" }, {}] },
      options,
    );
  await customer.call("POST", `/conversations/${conversationId}/notes`, { body: "@Ada, call back." }, once());
  await customer.call("GET", `/conversations/${conversationId}/messages?include=notes&limit=1`);
  const { id } = (await customer.call("POST", "/templates", { name: "Every call", body: "Hi" })).body.template;
  for (const addressee of [{ contact_id }, { user_id: "every-call" }]) {
    await customer.call("POST", `/templates/${id}/send`, addressee);
  }
  world.advance(61_000);
  await world.cron();
  await world.settle();
  const filters = [`contact_id=${contact_id}`, `conversation_id=${conversationId}`, "delivery=read"];
  for (const filter of [...filters, filters.join("&")]) {
    const { next_cursor: cursor } = (await customer.call("GET", `/messages?${filter}&limit=1`)).body;
    if (cursor !== null) await customer.call("GET", `/messages?${filter}&limit=1&cursor=${cursor}`);
  }
}

export async function useContacts(customer: Customer): Promise<void> {
  const plan = { field_key: "plan", label: "Plan", type: "select", options: ["free", "pro"] };
  const fieldId = (await customer.call("POST", "/custom-fields", plan, once())).body.custom_field.id;
  const since = { field_key: "since", label: "Since", type: "date" };
  const sinceId = (await customer.call("POST", "/custom-fields", since)).body.custom_field.id;
  const tagId = (await customer.call("POST", "/tags", { name: "VIP", color: "#2563eb" }, once())).body.tag.id;
  const fullTag = (await customer.call("POST", "/tags", { name: "Old" })).body.tag.id;

  const ada = { phone: "+14155550111", email: "ada@example.com", name: "Ada", tags: ["VIP", "New"], source: "shop" };
  const values = { is_unsubscribed: true, custom_fields: { plan: "pro" }, status: "hot" };
  const { id } = (await customer.call("POST", "/contacts", { ...ada, ...values }, once())).body.contact;
  await customer.call("POST", "/contacts", { ...ada, is_unsubscribed: false, custom_fields: { plan: "free" } }, once());
  await customer.call("POST", "/contacts", { phone: ada.phone, update: false });
  const people = Array.from({ length: 5 }, (_, index) => ({ ...ada, phone: `+1415555012${index}`, email: null }));
  await customer.call("POST", "/contacts/batch", { contacts: [...people, { ...ada, name: "Ada L." }, {}] }, once());
  await customer.call("PATCH", `/contacts/${id}`, { tags: ["Old", "Newer"], custom_fields: { plan: null } }, once());
  for (const options of [once(), {}]) await customer.call("DELETE", `/contacts/${id}`, undefined, options);
  await customer.call("POST", `/contacts/${id}/restore`, undefined, once());

  await useBulk(customer, id);

  // For each combination of filters, read the first page, the next page, and a page with an offset and a total.
  const filters = ["search=ada", "tag=vip", "source=shop", "status=hot", "archived=true"];
  const mixes = filters.reduce<string[][]>((all, each) => [...all, ...all.map((mix) => [...mix, each])], [[]]);
  for (const mix of mixes) {
    const list = `/contacts?${[...mix, "limit=1"].join("&")}`;
    const { next_cursor: cursor } = (await customer.call("GET", list)).body;
    if (cursor !== null) await customer.call("GET", `${list}&cursor=${cursor}`);
    await customer.call("GET", `${list}&offset=1&include_total=true`);
  }
  for (const term of ["a", "+1 (415) 555", "%", "nobody"])
    await customer.call("GET", `/contacts?search=${encodeURIComponent(term)}`);

  for (const list of ["/tags?limit=1", "/custom-fields?limit=1"]) {
    const { next_cursor: cursor } = (await customer.call("GET", list)).body;
    await customer.call("GET", `${list}&cursor=${cursor}`);
  }
  await customer.call("PATCH", `/tags/${tagId}`, { name: "V.I.P." }, once());
  await customer.call("PATCH", `/tags/${tagId}`, { color: "#000000" });
  await useSegments(customer);
  await useLongScans(customer);
  await customer.call("PATCH", `/custom-fields/${fieldId}`, { label: "The plan" }, once());
  await customer.call("PATCH", `/custom-fields/${fieldId}`, { ...plan, options: ["pro"] });
  await customer.call("DELETE", `/custom-fields/${sinceId}`, undefined, once());
  await customer.call("DELETE", `/tags/${fullTag}`, undefined, once());
  await customer.world.cron();
}

/**
 * Normally, only large workspaces run these queries. To cause them, one contact gets a `seq` far from the others and
 * more data than fits on a page.
 */
async function useLongScans(customer: Customer): Promise<void> {
  const { id: far } = (await customer.call("POST", "/contacts", { email: "far@example.com" })).body.contact;
  const notes = JSON.stringify({ 1: "x".repeat(100_000) });
  await onShard(customer, "UPDATE contacts SET seq = seq + 200000, custom_fields = ? WHERE id = ?", notes, far);
  for (const query of [
    "",
    "?search=nobody&include_total=true",
    "?status=hot&offset=100",
    "?archived=true&include_total=true",
  ])
    await customer.call("GET", `/contacts${query}${query === "" ? "?" : "&"}limit=100`);
  const filter = { match: "all", conditions: [{ field: "status", op: "eq", value: "cold" }] };
  const { id } = (await customer.call("POST", "/segments", { name: "Cold", filter })).body.segment;
  await customer.call("GET", `/segments/${id}/contacts`);
  await customer.call("GET", `/segments/${id}/count`);
}

async function useSegments(customer: Customer): Promise<void> {
  const asked = (field: string, op: string, value?: unknown) => ({ field, op, ...(value !== undefined && { value }) });
  const conditions = [
    ...["name", "phone", "company", "custom_fields.plan"].map((field) => asked(field, "is_not_set")),
    asked("name", "contains", "a"),
    asked("phone", "in", ["+14155550111"]),
    asked("is_unsubscribed", "eq", false),
    asked("last_inbound_at", "within_days", 30),
    asked("created_at", "between", ["2020-01-01", "2030-01-01"]),
    ...["has_all", "has_any", "has_none"].map((op) => asked("tags", op, ["V.I.P."])),
    asked("tags", "is_set"),
    asked("custom_fields.plan", "in", ["pro"]),
    asked("custom_fields.since", "gte", "2026-01-01"),
  ];
  const filter = {
    match: "any",
    conditions: [{ match: "all", conditions: [asked("status", "eq", "hot")] }, ...conditions],
  };
  const all = { match: "all", conditions: [asked("status", "ne", "cold")] };
  const wide = (await customer.call("POST", "/segments", { name: "Wide", filter }, once())).body.segment;
  const plain = (await customer.call("POST", "/segments", { name: "Plain", filter: all })).body.segment;
  for (const { id } of [wide, plain]) {
    await customer.call("GET", `/segments/${id}`);
    const { next_cursor: cursor } = (await customer.call("GET", `/segments/${id}/contacts?limit=1`)).body;
    await customer.call("GET", `/segments/${id}/contacts?limit=1&cursor=${cursor}`);
    await customer.call("GET", `/segments/${id}/count`);
  }
  const { next_cursor: more } = (await customer.call("GET", "/segments?limit=1")).body;
  await customer.call("GET", `/segments?limit=1&cursor=${more}`);
  await customer.call("PATCH", `/segments/${plain.id}`, { name: "Plainer", filter }, once());
  await customer.call("PATCH", `/segments/${plain.id}`, { name: "Plain" });
  await customer.call("DELETE", `/segments/${plain.id}`, undefined, once());
}

export async function useTemplates(customer: Customer): Promise<void> {
  const official = { name: "Official", channel: "official", provider: "sandbox", config: {} };
  const { id } = (await customer.manage("POST", "/connections", official)).body.connection;
  await customer.manage("POST", `/connections/${id}/sync-templates`);
  for (const query of ["", "?status=APPROVED", "?source=local", "?status=PENDING&source=external"]) {
    await customer.call("GET", `/templates${query}`);
    const list = `/templates${query}${query === "" ? "?" : "&"}limit=1`;
    const { next_cursor: cursor } = (await customer.call("GET", list)).body;
    if (cursor !== null) await customer.call("GET", `${list}&cursor=${cursor}`);
  }
  const greeting = { name: "Greeting", body: "Hi {{name|you}}" };
  const template = `/templates/${(await customer.call("POST", "/templates", greeting, once())).body.template.id}`;
  await customer.call("GET", template);
  await customer.call("POST", `${template}/send`, { to: phoneEnding("1234") }, once());
  await customer.call("POST", `${template}/send`, { to: phoneEnding("1234") });
  await customer.call("PATCH", template, { ...greeting, name: "Hello" }, once());
  await customer.call("PATCH", template, { body: "Hello" });
  await customer.call("DELETE", template, undefined, once());
  await useExternalTemplates(customer, id);
  await customer.manage("DELETE", `/connections/${id}`);
}
