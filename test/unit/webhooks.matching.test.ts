import { expect, test } from "vitest";
import { isWanted, orderKey } from "../../src/features/webhooks/webhooks.matching.ts";

const event = (type: string, object: object | null, object_id = "x_1") => ({
  type,
  object_id,
  data: { [type.split(".")[0] ?? ""]: object },
});
const ofMessages = new Map([
  ["msg_1", "conn_1"],
  ["msg_2", "conn_1"],
]);
const all = { campaigns: "include" as const, connectionIds: null };
const direct = event("message.sent", { campaign_id: null }, "msg_1");
const ofCampaign = event("message.sent", { campaign_id: "cmp_1" }, "msg_2");

test("The campaign filter of a webhook applies only to messages", () => {
  const others = [event("campaign.started", { id: "cmp_1" }), event("contact.updated", null)];
  for (const each of [direct, ofCampaign, ...others]) expect(isWanted(each, all, ofMessages)).toBe(true);
  expect([direct, ofCampaign].map((each) => isWanted(each, { ...all, campaigns: "exclude" }, ofMessages))).toEqual([
    true,
    false,
  ]);
  expect([direct, ofCampaign].map((each) => isWanted(each, { ...all, campaigns: "only" }, ofMessages))).toEqual([
    false,
    true,
  ]);
  for (const each of others) expect(isWanted(each, { ...all, campaigns: "only" }, ofMessages)).toBe(true);
});

test("Connection filters of a webhook exclude events of other connections", () => {
  const filter = { ...all, connectionIds: ["conn_2"] };
  expect(isWanted(direct, filter, ofMessages)).toBe(false);
  expect(isWanted(event("connection.updated", null, "conn_1"), filter, ofMessages)).toBe(false);
  expect(isWanted(event("connection.updated", null, "conn_2"), filter, ofMessages)).toBe(true);
  expect(isWanted(event("conversation.opened", { id: "cnv_1", connection_id: "conn_1" }), filter, ofMessages)).toBe(
    false,
  );
  expect(isWanted(event("tag.created", { id: "tag_1" }), filter, ofMessages)).toBe(true);
  expect(isWanted(event("template.created", { id: "tpl_1", connection_id: null }), filter, ofMessages)).toBe(true);
  for (const type of ["template.deleted", "conversation.done", "message.sent", "campaign.started"])
    expect(isWanted(event(type, null), filter, ofMessages)).toBe(false);
  for (const type of ["tag.deleted", "contact.erased"])
    expect(isWanted(event(type, null), filter, ofMessages)).toBe(true);
});

test("Webhook events keep their order for each contact, or without a contact for each campaign or other object", () => {
  expect(orderKey(event("message.sent", { contact_id: "ct_1", campaign_id: "cmp_1" }))).toBe("ct_1");
  expect(orderKey(event("contact.updated", { id: "ct_1" }, "ct_1"))).toBe("ct_1");
  expect(orderKey(event("conversation.done", { id: "cnv_1", contact: { id: "ct_1" } }))).toBe("ct_1");
  expect(orderKey(event("campaign.started", { campaign_id: "cmp_1" }, "cmp_1"))).toBe("cmp_1");
  expect(orderKey(event("tag.deleted", null, "tag_1"))).toBe("tag_1");
});
