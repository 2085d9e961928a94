// Calls every operation of the public API through the installed package, in Node and in a Worker.
import { Tidings, TidingsError, webhooks, type Webhook } from "@tidings/client";

export interface Setting {
  baseUrl: string;
  apiKey: string;
  /** An address at which no server listens. */
  closedUrl: string;
}

/** Calls every operation. Returns requests such as `GET /api/v1/me`. */
export async function callEveryOperation({ baseUrl, apiKey, closedUrl }: Setting): Promise<string[]> {
  const requests: string[] = [];
  const tidings = new Tidings({
    baseUrl,
    apiKey,
    fetch: (url, init) => {
      requests.push(`${init.method} ${new URL(url).pathname}`);
      return fetch(url, init);
    },
  });
  await tidings.me.get();
  const webhook = await watch(tidings, closedUrl);
  await useContacts(tidings);
  await useSegments(tidings);
  await useMessages(tidings);
  await useTemplates(tidings);
  await useCannedReplies(tidings);
  await useMedia(tidings);
  await useEvents(tidings);
  await useWebhooks(tidings, webhook);
  return requests;
}

function expectEqual(actual: unknown, expected: unknown): void {
  const [is, due] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (is !== due) throw new Error(`${is} is not ${due}.`);
}

/** Repeats an `async` function until it returns a value. */
async function eventually<T>(ask: () => Promise<T | undefined>): Promise<T> {
  for (let attempt = 0; attempt < 300; attempt++) {
    const found = await ask();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error("It has not come about.");
}

async function firstOf<T>(items: AsyncIterable<T>): Promise<T | undefined> {
  for await (const item of items) return item;
  return undefined;
}

async function useContacts(tidings: Tidings): Promise<void> {
  const { custom_field: field } = await tidings.customFields.create({ field_key: "plan", label: "Plan", type: "text" });
  await tidings.customFields.update(field.id, { label: "The plan" });
  expectEqual((await firstOf(tidings.customFields.list()))?.label, "The plan");
  const { tag } = await tidings.tags.create({ name: "VIP" });
  await tidings.tags.update(tag.id, { name: "V.I.P." });
  expectEqual((await tidings.tags.list()).tags.length, 1);

  const phone = "+15550100301";
  const { contact, created } = await tidings.contacts.upsert({ phone, name: "Ada", custom_fields: { plan: "pro" } });
  expectEqual(created, true);
  await tidings.contacts.upsertBatch({ contacts: [{ phone, email: "ada@example.com" }, { phone: "+15550100302" }] });
  await tidings.contacts.update(contact.id, { tags: ["V.I.P."] });
  await tidings.contacts.put(contact.id, { company: "Okafor & Söhne" });
  await tidings.contacts.archive(contact.id);
  await tidings.contacts.restore(contact.id);
  const { contact: read, revision } = await tidings.contacts.get(contact.id);
  await tidings.contacts.update(contact.id, { name: "Ada O." }, { ifMatch: revision });
  const late = await tidings.contacts
    .update(contact.id, { name: "Ada" }, { ifMatch: revision })
    .catch((error) => error);
  if (!(late instanceof TidingsError) || late.code !== "precondition_failed") throw new Error("It was overwritten.");
  expectEqual(late.details.revision, (revision ?? 0) + 1);
  const { contact: other } = await tidings.contacts.upsert({ email: "other@example.com" });
  expectEqual((await tidings.contacts.merge(contact.id, { from: other.id })).moved.fields, 0);
  const { job } = await tidings.contacts.bulkUpdate({ ids: [contact.id], action: "add_tags", tags: ["V.I.P."] });
  expectEqual((await tidings.jobs.get(job.id)).job.total, 1);
  expectEqual((await firstOf(tidings.jobs.list()))?.id, job.id);
  expectEqual(`${read.email} ${read.company} ${read.tags[0]?.name}`, "ada@example.com Okafor & Söhne V.I.P.");
  let count = 0;
  for await (const { id } of tidings.contacts.list({ archived: false, limit: 1 })) count += id === "" ? 0 : 1;
  expectEqual(count, 2);
  await tidings.customFields.delete(field.id);
  await tidings.tags.delete(tag.id);
}

async function useCannedReplies(tidings: Tidings): Promise<void> {
  const { canned_reply: made } = await tidings.cannedReplies.create({ shortcut: "hours", body: "We are open." });
  const { canned_reply: read, revision } = await tidings.cannedReplies.get(made.id);
  await tidings.cannedReplies.update(read.id, { body: "We are closed." }, { ifMatch: revision });
  expectEqual((await firstOf(tidings.cannedReplies.list()))?.body, "We are closed.");
  await tidings.cannedReplies.delete(made.id);
}

async function useSegments(tidings: Tidings): Promise<void> {
  const filter = { match: "all" as const, conditions: [{ field: "name", op: "eq" as const, value: "Ada O." }] };
  const { segment } = await tidings.segments.create({ name: "Adas", filter });
  await tidings.segments.update(segment.id, { name: "All Adas" });
  expectEqual((await tidings.segments.get(segment.id)).segment.name, "All Adas");
  expectEqual((await firstOf(tidings.segments.contacts(segment.id)))?.name, "Ada O.");
  expectEqual((await tidings.segments.count(segment.id)).count, 1);
  expectEqual((await tidings.segments.list()).segments.length, 1);
  await tidings.segments.delete(segment.id);
}

async function useMessages(tidings: Tidings): Promise<void> {
  // The sandbox echoes messages to this number.
  const to = "+15550100006";
  const { contact_id, conversation_id, message_id } = await tidings.messages.send({ to, text: "Größe ✓" });
  expectEqual((await tidings.messages.get(message_id)).message.body, "Größe ✓");
  await tidings.messages.sendBatch({
    messages: [
      { to, text: "One" },
      { to, text: "Two" },
    ],
  });
  const send_at = new Date(Date.now() + 3_600_000).toISOString();
  const later = await tidings.messages.send({ to, text: "Later", send_at });
  await tidings.messages.cancel(later.message_id);
  await eventually(async () => {
    const { messages } = await tidings.conversations.messages(conversation_id);
    return messages.find((message) => message.from_contact);
  });
  expectEqual((await tidings.messages.list({ conversation_id })).messages.length > 3, true);
  await tidings.conversations.reply(conversation_id, { text: "Thanks" });
  await tidings.conversations.markRead(conversation_id);
  const { message: note } = await tidings.conversations.addNote(conversation_id, { body: "Called back." });
  expectEqual((await firstOf(tidings.conversations.messages(conversation_id, { include: "notes" })))?.id, note.id);
  await tidings.conversations.update(conversation_id, { status: "done" });
  expectEqual((await tidings.conversations.get(conversation_id)).conversation.contact.phone, to);
  expectEqual((await firstOf(tidings.conversations.list()))?.id, conversation_id);
  const started = await tidings.conversations.start({ contact_id });
  expectEqual([started.created, started.conversation.id], [false, conversation_id]);
  const labelled = await tidings.conversations.bulkUpdate({ ids: [conversation_id], labels: ["Delivery"] });
  expectEqual(labelled.counts, { updated: 1, unchanged: 0, failed: 0 });
  expectEqual((await tidings.members.list()).members, []);
}

async function useTemplates(tidings: Tidings): Promise<void> {
  const { template } = await tidings.templates.create({ name: "News", body: "Hi {{name|there}}" });
  await tidings.templates.update(template.id, { body: "Hello {{name|there}}" });
  expectEqual((await tidings.templates.get(template.id)).template.body, "Hello {{name|there}}");
  expectEqual((await tidings.templates.list({ source: "local" })).templates.length, 1);
  await tidings.templates.send(template.id, { to: "+15550100301", variables: { name: "you" } });
  await useCampaigns(tidings, template.id);
  await tidings.templates.delete(template.id);
}

async function useCampaigns(tidings: Tidings, template_id: string): Promise<void> {
  // Messages to this number fail twice before they succeed, so that the campaign still runs.
  await tidings.contacts.upsert({ phone: "+15550100002", tags: ["Slow"] });
  const audience = { template_id, channel: "unofficial" as const, filter_tags: ["Slow"] };
  const { recipient_count } = await tidings.campaigns.preview(audience);
  expectEqual(recipient_count, 1);
  const { campaign_id: id } = await tidings.campaigns.start(audience);
  const recipient = await eventually(async () => (await tidings.campaigns.recipients(id)).recipients[0]);
  expectEqual(recipient.name, null);
  await tidings.campaigns.pause(id);
  await tidings.campaigns.resume(id);
  expectEqual((await tidings.campaigns.cancel(id)).campaign.status, "cancelled");
  expectEqual((await tidings.campaigns.get(id)).campaign.recipient_count, 1);
  expectEqual((await firstOf(tidings.campaigns.list()))?.campaign_id, id);
  const file = await tidings.campaigns.exportRecipients(id, { state: "skipped" });
  expectEqual((await file.text()).trim().split("\r\n").length, 2);
  const draft = (await tidings.campaigns.duplicate(id)).campaign.campaign_id;
  const scheduled_at = new Date(Date.now() + 3_600_000).toISOString();
  expectEqual((await tidings.campaigns.update(draft, { scheduled_at })).campaign.status, "draft");
  await tidings.campaigns.test(draft, { to: "+15550100302" });
  const { audience_token } = await tidings.campaigns.previewDraft(draft);
  expectEqual((await tidings.campaigns.startDraft(draft, { audience_token })).status, "scheduled");
  await tidings.campaigns.cancel(draft);
}

async function useMedia(tidings: Tidings): Promise<void> {
  const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  const bytes = Uint8Array.from(atob(pixel), (character) => character.charCodeAt(0));
  const blob = new Blob([bytes], { type: "image/png" });
  const { media } = await tidings.media.upload(bytes, { contentType: "image/png", filename: "Größe.png" });
  const streamed = await tidings.media.upload(blob.stream(), { contentType: "image/png" });
  expectEqual(streamed.media.sha256, media.sha256);
  expectEqual((await tidings.media.get(media.id)).media.filename, "Größe.png");
  expectEqual((await tidings.media.list()).media.length, 2);
  const whole = await tidings.media.download(media.id);
  expectEqual((await whole.arrayBuffer()).byteLength, bytes.length);
  const part = await tidings.media.download(media.id, { headers: { Range: "bytes=1-3" } });
  expectEqual(await part.text(), "PNG");
  await tidings.media.delete(media.id);
}

async function useEvents(tidings: Tidings): Promise<void> {
  const created = await firstOf(tidings.events.list({ types: "contact.created" }));
  const { event } = await tidings.events.get(created?.id ?? "");
  expectEqual(event.type === "contact.created" && event.data.contact?.name, "Ada O.");
}

/** Creates a webhook whose deliveries all fail. */
async function watch(tidings: Tidings, url: string): Promise<Webhook> {
  const { webhook, secret } = await tidings.webhooks.create({ url, types: ["tag.created"] });
  expectEqual(secret.startsWith("whsec_"), true);
  let refused = false;
  try {
    webhooks.verify("{}", {}, secret);
  } catch {
    refused = true;
  }
  expectEqual(refused, true);
  return webhook;
}

async function useWebhooks(tidings: Tidings, { id }: Webhook): Promise<void> {
  expectEqual((await tidings.webhooks.test(id)).attempt.status, null);
  const delivery = await eventually(() => firstOf(tidings.webhooks.deliveries(id, { state: "pending" })));
  await tidings.webhooks.retryDelivery(id, delivery.id);
  await tidings.webhooks.update(id, { description: "No server there" });
  await tidings.webhooks.rotateSecret(id);
  await tidings.webhooks.rotateSecret(id, { overlap_seconds: 0 });
  await tidings.webhooks.pause(id);
  await tidings.webhooks.enable(id);
  await tidings.webhooks.replay(id, { only: "failed" });
  expectEqual((await tidings.webhooks.get(id)).webhook.description, "No server there");
  expectEqual((await tidings.webhooks.list()).webhooks.length, 1);
  await tidings.webhooks.delete(id);
}
