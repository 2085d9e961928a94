import { describe, expect, it } from "vitest";
import { contacts } from "../../src/db/schema/index.ts";
import { contactDefaults, contactFieldNames } from "../../src/features/contacts/contact-fields.schemas.ts";
import { type ContactRecord, contactRecord } from "../../src/features/contacts/contacts.schemas.ts";
import {
  chooseKeptContact,
  type ConversationLoss,
  summarizeMerge,
  phoneAfterMerge,
} from "../../src/features/people/merge/decide-merge.ts";

const candidate = (seq: number, phoneKey: string | null) => ({ seq, id: `ct_${seq}`, phoneKey, archivedAt: null });

describe("Merges of contacts", () => {
  it.each([
    ["the contact with a number", candidate(2, "+1"), candidate(1, null), 2],
    ["the older contact if both have a number", candidate(2, "+1"), candidate(1, "+2"), 1],
    ["the older contact if neither has a number", candidate(1, null), candidate(2, null), 1],
  ])("A merge of two contacts keeps %s, in either order", (_, one, other, expected) => {
    for (const { kept, removed } of [chooseKeptContact(one, other), chooseKeptContact(other, one)]) {
      expect(kept.seq).toBe(expected);
      expect(removed.seq).toBe(3 - expected);
    }
  });

  it.each([
    ["its own number", "+1", false, null],
    ["the other's number if it has none", null, false, "+2"],
    ["no number if a third contact has the other's", null, true, null],
  ])("After a merge of two contacts, the kept contact has %s", (_, phone, isPhoneTaken, expected) => {
    const kept = { phone, phoneKey: phone, isPhoneTaken: false };
    expect(phoneAfterMerge(kept, { phone: "+2", phoneKey: "+2", isPhoneTaken })).toBe(expected);
  });
});

it("The defaults that a merge of contacts treats as empty values are the defaults of the columns", () => {
  const { status, lifecycleStage, source } = contacts;
  expect(contactDefaults).toEqual({
    status: status.default,
    lifecycle_stage: lifecycleStage.default,
    source: source.default,
  });
});

/** A stored contact without values. */
const record = (changes: Partial<ContactRecord>): ContactRecord =>
  contactRecord.parse({
    ...Object.fromEntries(contactFieldNames.map((name) => [name, null])),
    ...contactDefaults,
    id: "ct_1",
    is_unsubscribed: 0,
    marketing_opt_out: 0,
    is_archived: 0,
    tags: [],
    custom_fields: {},
    external_ids: [],
    created_at: 0,
    updated_at: 0,
    revision: 1,
    ...changes,
  });

const layout = [{ number: 1, key: "size", type: "text", removed: [] }];

const decide = (
  kept: Partial<ContactRecord>,
  removed: Partial<ContactRecord>,
  merged: Partial<ContactRecord>,
  losses: ConversationLoss[] = [],
) =>
  summarizeMerge({
    kept: record(kept),
    removed: record(removed),
    merged: record(merged),
    layout,
    history: { conversations: 2, messages: 3 },
    losses,
  });

const tag = (id: string) => ({ id, name: `name of ${id}`, color: "" });

describe("Merge reports", () => {
  it("A merge report counts the values that the kept contact receives, and lists the lost values of the other contact", () => {
    const { moved, dropped } = decide(
      { name: "Ann", tags: [tag("a")] },
      { name: "Bea", company: "Acme", tags: [tag("a"), tag("b"), tag("c")], custom_fields: { 1: "L" } },
      { name: "Ann", company: "Acme", tags: [tag("a"), tag("b")], custom_fields: { 1: "L" } },
    );
    expect(moved).toEqual({ conversations: 2, messages: 3, tags: 1, fields: 2 });
    expect(dropped).toEqual({ name: "Bea", tags: ["name of c"] });
  });

  it("A merge report omits defaults, and values that both contacts have", () => {
    expect(decide({ name: "Ann", status: "hot" }, { name: "Ann" }, { name: "Ann", status: "hot" }).dropped).toEqual({});
  });

  it("A merge report names a custom field by its key", () => {
    const [kept, removed] = [{ custom_fields: { 1: "S" } }, { custom_fields: { 1: "L" } }];
    expect(decide(kept, removed, kept).dropped).toEqual({ "custom_fields.size": "L" });
  });

  it("A merge report lists each lost label and assignee of conversations once, and the latest lost snooze", () => {
    const loss = { labels: ["vip"], snoozedUntil: 1000, assigneeId: "u_1", assigneeName: "Cem" };
    const losses = [loss, { ...loss, snoozedUntil: 2000 }, { ...loss, assigneeId: null, snoozedUntil: null }];
    expect(decide({}, {}, {}, losses).dropped).toEqual({
      labels: ["vip"],
      snoozed_until: "1970-01-01T00:00:02.000Z",
      assignees: [{ id: "u_1", name: "Cem" }],
    });
  });
});

it("A merged contact has the opt-outs and ids of both contacts", () => {
  const id = (name: string) => ({ provider: "p", id: name, connection_id: null, username: null });
  const { contact } = decide(
    { external_ids: [id("a")], marketing_opt_out: 1 },
    { external_ids: [id("b")], is_unsubscribed: 1 },
    {},
  );
  expect(contact).toMatchObject({
    is_unsubscribed: 1,
    marketing_opt_out: 1,
    external_ids: [id("a"), id("b")],
  });
});
