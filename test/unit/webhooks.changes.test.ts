import { expect, test } from "vitest";
import { addSecret, changeSettings, changeStatus } from "../../src/features/webhooks/webhooks.changes.ts";
import type { WebhookRow } from "../../src/features/webhooks/webhooks.schemas.ts";

const NOW = 1000;

const webhook: WebhookRow = {
  id: "wh_1",
  url: "https://hooks.example.org",
  description: "Orders",
  types: ["*"],
  campaigns: "include",
  connection_ids: ["conn_1"],
  batch: null,
  secrets: [{ sealed: "first", until: null }],
  status: "active",
  status_reason: null,
  start_after: 4,
  created_at: 5,
  updated_at: 5,
  revision: 3,
};

test("A change to a webhook keeps settings that the request does not contain, and null clears a setting", () => {
  const changed = changeSettings(webhook, { description: null, types: ["tag.*"] }, NOW);
  expect(changed.webhook).toEqual({ ...webhook, description: null, types: ["tag.*"], updated_at: NOW, revision: 4 });
  expect(changed.events).toEqual([
    { type: "webhook.updated", id: "wh_1", changes: { description: ["Orders", null], types: [["*"], ["tag.*"]] } },
  ]);
});

test("Changing a webhook to its stored values has no effect", () => {
  const same = { url: webhook.url, connection_ids: ["conn_1"], batch: null };
  expect(changeSettings(webhook, same, NOW)).toEqual({ webhook, events: [] });
  expect(changeSettings(webhook, same, NOW).webhook).toBe(webhook);
});

test("A new status of a webhook creates a revision only if a client requested the status", () => {
  const failing = changeStatus(webhook, { status: "disabled", reason: "Gone.", isRequested: false }, NOW);
  expect(failing.webhook).toMatchObject({ status: "disabled", status_reason: "Gone.", revision: 3, updated_at: NOW });
  expect(failing.events).toEqual([
    {
      type: "webhook.disabled",
      id: "wh_1",
      changes: { status: ["active", "disabled"], status_reason: [null, "Gone."] },
    },
  ]);
  const paused = changeStatus(webhook, { status: "paused", reason: null, isRequested: true }, NOW);
  expect(paused).toMatchObject({ webhook: { revision: 4 }, events: [{ type: "webhook.updated" }] });
  expect(changeStatus(webhook, { status: "active", reason: null, isRequested: true }, NOW).webhook).toBe(webhook);
});

test("Each earlier secret of a webhook signs until the new overlap or its own overlap ends, whichever is first", () => {
  const secrets = [
    { sealed: "newest", until: null },
    { sealed: "short", until: NOW + 1 },
    { sealed: "long", until: NOW + 100 },
    { sealed: "over", until: NOW },
  ];
  expect(addSecret({ ...webhook, secrets }, { sealed: "new", until: NOW + 10 }, NOW)).toMatchObject({
    webhook: {
      secrets: [
        { sealed: "new", until: null },
        { sealed: "newest", until: NOW + 10 },
        { sealed: "short", until: NOW + 1 },
        { sealed: "long", until: NOW + 10 },
      ],
      revision: 3,
    },
    events: [{ type: "webhook.updated", id: "wh_1" }],
  });
});

test("A webhook with five signing secrets rejects a sixth secret, unless the overlap is zero", () => {
  const secrets = Array.from({ length: 5 }, (_, index) => ({ sealed: `${index}`, until: index === 0 ? null : 5000 }));
  const full = { ...webhook, secrets };
  expect(addSecret(full, { sealed: "new", until: NOW + 10 }, NOW)).toMatchObject({ code: "invalid_state" });
  expect(addSecret(full, { sealed: "new", until: NOW }, NOW)).toMatchObject({
    webhook: { secrets: [{ sealed: "new", until: null }] },
  });
});
