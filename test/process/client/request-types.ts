// Calls that the types of the package accept, and calls that they reject. This file is compiled but never runs.
import type { Tidings } from "@tidings/client";

const to = "+14155550100";
const image = { url: "https://example.com/menu.png" };

export function sendMessages({ messages, conversations, templates, campaigns }: Tidings): void {
  void messages.send({ to, text: "hi" });
  void messages.send({ contact_id: "ct_1", image, reply_to: "msg_1" });
  void messages.send({ user_id: "1", reaction: { message_id: "msg_1", emoji: "" } });
  // @ts-expect-error Neither an addressee nor a content.
  void messages.send({});
  // @ts-expect-error No content.
  void messages.send({ to });
  // @ts-expect-error No addressee.
  void messages.send({ text: "hi" });
  // @ts-expect-error Two contents.
  void messages.send({ to, text: "hi", image });
  // @ts-expect-error Two addressees.
  void messages.send({ to, contact_id: "ct_1", text: "hi" });
  // @ts-expect-error An unknown field.
  void messages.send({ to, text: "hi", tags: [] });
  // @ts-expect-error A file of the workspace or an address, not both.
  void messages.send({ to, image: { ...image, media_id: "med_1" } });
  // @ts-expect-error A file without its source.
  void messages.send({ to, image: { caption: "Menu" } });

  void messages.sendBatch({ messages: [{ to, text: "hi" }] });
  // @ts-expect-error A row without content.
  void messages.sendBatch({ messages: [{ to }] });

  void conversations.reply("cnv_1", { text: "hi" });
  // @ts-expect-error No content.
  void conversations.reply("cnv_1", {});
  // @ts-expect-error Two contents.
  void conversations.reply("cnv_1", { text: "hi", image });

  void templates.send("tpl_1", { to, header: image });
  // @ts-expect-error No addressee.
  void templates.send("tpl_1", { variables: ["Ada"] });
  // @ts-expect-error A header has one value.
  void templates.send("tpl_1", { to, header: { ...image, text: "Menu" } });

  void campaigns.test("cmp_1", { to });
  // @ts-expect-error No addressee.
  void campaigns.test("cmp_1", {});
}

export function changeRecords({ contacts, conversations, customFields, media, templates, manage }: Tidings): void {
  void contacts.upsert({ phone: to });
  void contacts.upsert({ email: "ada@example.com", phone: null });
  // @ts-expect-error Neither phone nor email.
  void contacts.upsert({ name: "Ada" });
  // @ts-expect-error Neither phone nor email.
  void contacts.upsert({ phone: null });
  // @ts-expect-error A row without phone and email.
  void contacts.upsertBatch({ contacts: [{ name: "Ada" }] });

  void contacts.bulkUpdate({ ids: ["ct_1"], action: "add_tags", tags: ["VIP"] });
  void contacts.bulkUpdate({ filter: { tag: "VIP" }, action: "archive" });
  // @ts-expect-error Neither ids nor a filter.
  void contacts.bulkUpdate({ action: "archive" });
  // @ts-expect-error Both ids and a filter.
  void contacts.bulkUpdate({ ids: ["ct_1"], filter: { tag: "VIP" }, action: "archive" });
  // @ts-expect-error An empty filter would be everybody.
  void contacts.bulkUpdate({ filter: {}, action: "archive" });
  // @ts-expect-error No tags to add.
  void contacts.bulkUpdate({ ids: ["ct_1"], action: "add_tags" });
  // @ts-expect-error Archiving takes no tags.
  void contacts.bulkUpdate({ ids: ["ct_1"], action: "archive", tags: ["VIP"] });

  void conversations.update("cnv_1", { labels: ["refund"] });
  // @ts-expect-error Nothing to change.
  void conversations.update("cnv_1", {});
  // @ts-expect-error Nothing to change.
  void conversations.bulkUpdate({ ids: ["cnv_1"] });

  void customFields.create({ field_key: "plan", label: "Plan", type: "select", options: ["Free"] });
  void customFields.create({ field_key: "plan", label: "Plan", type: "text" });
  // @ts-expect-error A select needs its options.
  void customFields.create({ field_key: "plan", label: "Plan", type: "select" });
  // @ts-expect-error Only selects have options.
  void customFields.create({ field_key: "plan", label: "Plan", type: "text", options: ["Free"] });

  void media.upload({ url: "https://example.com/menu.png" });
  // @ts-expect-error Neither bytes nor an address.
  void media.upload({});

  void templates.create({ name: "Hours", body: "We are open." });
  // @ts-expect-error Neither a local template nor a provider's.
  void templates.create({ name: "Hours" });
  // @ts-expect-error A provider's template needs all of its fields.
  void templates.create({ name: "hours", language: "en", category: "UTILITY" });

  const sandbox = { name: "Sandbox", channel: "official", provider: "sandbox", config: {} } as const;
  void manage.connections.create("ws_1", sandbox);
  // @ts-expect-error WAHA needs its address, its session and a key.
  void manage.connections.create("ws_1", { name: "WAHA", channel: "unofficial", provider: "waha", config: {} });
  // @ts-expect-error WAHA is unofficial.
  void manage.connections.create("ws_1", { ...sandbox, provider: "waha" });

  void manage.connections.simulate("ws_1", "conn_1", { from: to, text: "STOP" });
  // @ts-expect-error No content.
  void manage.connections.simulate("ws_1", "conn_1", { from: to });
}
