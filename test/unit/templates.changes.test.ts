import { expect, test } from "vitest";
import {
  changeExternal,
  changeLocalTemplate,
  newExternalTemplate,
  newLocalTemplate,
  reviewTemplate,
  templateCreated,
} from "../../src/features/templates/templates.changes.ts";

const NOW = 2000;

const local = newLocalTemplate("tpl_1", { name: "Welcome", body: "Hello {{name}}" }, 1000);

const body = { type: "BODY", text: "Hello {{1}}" };
const listed = {
  id: "tpl_2",
  providerId: "p1",
  name: "welcome",
  language: "en",
  category: "UTILITY",
  status: "PENDING" as const,
  parameters: "positional" as const,
  components: [body],
  body: "Hello {{1}}",
  variables: ["1"],
};
const external = newExternalTemplate(listed, "conn_1", 1000);

const free = { holder: undefined, campaign: undefined };

test("The event about a new template contains the fields that are not null, and components only for an external template", () => {
  expect(templateCreated(local)).toEqual({
    type: "template.created",
    id: "tpl_1",
    changes: {
      name: [null, "Welcome"],
      body: [null, "Hello {{name}}"],
      status: [null, "APPROVED"],
      source: [null, "local"],
      variables: [null, ["name"]],
    },
  });
  expect(templateCreated(external).changes).toMatchObject({ components: [null, [body]], language: [null, "en"] });
});

test("A changed local template has the variables of its new text, and the next revision", () => {
  expect(changeLocalTemplate(local, free, { body: "Hi {{day}}" }, NOW)).toEqual({
    template: { ...local, body: "Hi {{day}}", variables: ["day"], updated_at: NOW, revision: 2 },
    events: [
      {
        type: "template.updated",
        id: "tpl_1",
        changes: { body: ["Hello {{name}}", "Hi {{day}}"], variables: [["name"], ["day"]] },
      },
    ],
  });
});

test("Changing a template to its stored values creates no revision and no event", () => {
  expect(changeLocalTemplate(local, free, { name: "Welcome" }, NOW)).toEqual({
    template: { ...local, updated_at: NOW },
    events: [],
  });
});

test("If a campaign and a name conflict both block a change to a template, the error is about the campaign", () => {
  const holder = { id: "tpl_9" };
  const campaign = { id: "cmp_1" };
  expect(changeLocalTemplate(local, { holder, campaign }, { name: "B" }, NOW)).toMatchObject({
    code: "conflict",
    details: { campaign_id: "cmp_1" },
  });
  expect(changeLocalTemplate(local, { holder, campaign: undefined }, { name: "B" }, NOW)).toMatchObject({
    code: "conflict",
    details: { template_id: "tpl_9" },
  });
  expect(changeLocalTemplate(local, { ...free, holder: { id: "tpl_1" } }, { name: "Welcome" }, NOW)).toMatchObject({
    template: { name: "Welcome" },
  });
});

test("The name and text of an external template cannot change", () => {
  expect(changeLocalTemplate(external, free, { name: "B" }, NOW)).toMatchObject({
    code: "validation_failed",
    details: [{ path: "name", code: "unknown_field" }],
  });
  expect(changeLocalTemplate(external, free, {}, NOW)).toEqual({ template: external, events: [] });
});

test("After an edit at the provider, a template has the revision that the request claimed, or the next one if another change followed", () => {
  const edited = { ...listed, category: "MARKETING" };
  const times = { at: NOW, claimed: null, read: external };
  expect(changeExternal(external, edited, times).template).toMatchObject({ revision: 2, updated_at: NOW });
  expect(changeExternal({ ...external, revision: 2 }, edited, { ...times, claimed: 2 }).template.revision).toBe(2);
  expect(changeExternal({ ...external, revision: 3 }, edited, { ...times, claimed: 2 }).template.revision).toBe(4);
  expect(changeExternal(external, listed, times).template.revision).toBe(1);
});

test("An edit of a template clears the earlier reason for a rejection, unless the provider rejects the template again", () => {
  const rejected = { ...external, status: "REJECTED" as const, rejection_reason: "SCAM" };
  const times = { at: NOW, claimed: null, read: rejected };
  expect(changeExternal(rejected, { ...listed, status: "REJECTED" }, times).events).toEqual([]);
  expect(changeExternal(rejected, listed, times).events).toEqual([
    {
      type: "template.status_changed",
      id: "tpl_2",
      changes: { status: ["REJECTED", "PENDING"], rejection_reason: ["SCAM", null] },
    },
  ]);
});

test("A review that arrives during an edit of a template keeps its status", () => {
  const times = { at: NOW, claimed: null, read: external };
  const reviewed = { ...external, status: "APPROVED" as const, updated_at: NOW + 1 };
  const edited = { ...listed, category: "MARKETING" };
  const { template, events } = changeExternal(reviewed, edited, times);
  expect(template).toMatchObject({ status: "APPROVED", category: "MARKETING", updated_at: NOW + 1 });
  expect(events.map(({ type }) => type)).toEqual(["template.updated"]);
});

test("A review of the quality that arrives during an edit of a template does not keep the earlier status", () => {
  const approved = { ...external, status: "APPROVED" as const };
  const rated = { ...approved, quality: "GREEN", updated_at: NOW + 1 };
  const { template } = changeExternal(rated, listed, { at: NOW, claimed: null, read: approved });
  expect(template).toMatchObject({ status: "PENDING", quality: "GREEN" });
});

const review = { name: "welcome", language: "en", status: null, at: NOW };

test("A review of a template changes only the fields that the review contains", () => {
  const { template, events } = reviewTemplate(external, { ...review, status: "REJECTED", reason: "SCAM" });
  expect(template).toEqual({ ...external, status: "REJECTED", rejection_reason: "SCAM", updated_at: NOW });
  expect(events.map(({ type }) => type)).toEqual(["template.status_changed"]);
  const rated = reviewTemplate(template, { ...review, quality: "GREEN", category: "MARKETING" });
  expect(rated.template).toMatchObject({ quality: "GREEN", status: "REJECTED", rejection_reason: "SCAM", revision: 2 });
  expect(rated.events.map(({ type }) => type)).toEqual(["template.updated", "template.quality_changed"]);
});

test("A review that is older than the stored template is ignored, but a review from the same second is applied", () => {
  const approved = { ...review, status: "APPROVED" as const };
  expect(reviewTemplate({ ...external, updated_at: 3000 }, approved)).toMatchObject({ events: [] });
  expect(reviewTemplate({ ...external, updated_at: 2999 }, approved).template).toMatchObject({
    status: "APPROVED",
    updated_at: 2999,
  });
});
