import { expect, test } from "vitest";
import {
  assertFutureExpiry,
  changeKey,
  createdKeyEvent,
  findRepeatFault,
  revokedEvents,
  revokeKey,
} from "../../src/features/api-keys/api-keys.changes.ts";
import { REPEATABLE_MS } from "../../src/features/idempotency/idempotency.days.ts";

const key = {
  id: "key_1",
  name: "Shop",
  readOnly: false,
  expiresAt: null,
  requests: null,
  windowSeconds: null,
  revokedAt: null,
  revision: 4,
};

test("Every change to an API key creates a revision, and fields that are missing in the request stay", () => {
  expect(changeKey(key, { name: "Web" }, {})).toEqual({ ...key, name: "Web", revision: 5 });
  expect(changeKey(key, {}, {})).toEqual({ ...key, revision: 5 });
});

test("A revoked API key cannot be changed, not even by a form with other values", () => {
  const revoked = { ...key, revokedAt: 7 };
  expect(changeKey(revoked, { name: "Web" }, { name: "Old" })).toMatchObject({ code: "invalid_state" });
});

test("A form that changes the limit of an API key is rejected if another member changed the limit", () => {
  const rendered = { requests: 5, windowSeconds: 60 };
  expect(changeKey(key, { requests: 9, windowSeconds: 60 }, rendered)).toMatchObject({ code: "precondition_failed" });
  expect(changeKey({ ...key, ...rendered }, { requests: 9, windowSeconds: 60 }, rendered)).toMatchObject({
    requests: 9,
  });
});

test("Only the first revocation of an API key sets the time and appends an event", () => {
  const first = revokeKey(key, 0);
  const second = revokeKey(first, 9);
  expect(second).toEqual({ ...key, revokedAt: 0, revision: 6 });
  expect(revokedEvents(key, first)).toEqual([
    { type: "api_key.revoked", id: "key_1", changes: { revoked_at: [null, "1970-01-01T00:00:00.000Z"] } },
  ]);
  expect(revokedEvents(first, second)).toEqual([]);
});

test("The event about a new API key contains the key's limit, or null", () => {
  const created = { ...key, connectionId: "conn_1", requests: 5, windowSeconds: 60 };
  expect(createdKeyEvent(created).changes).toEqual({
    name: [null, "Shop"],
    connection_id: [null, "conn_1"],
    read_only: [null, false],
    rate_limit: [null, { requests: 5, window_seconds: 60 }],
  });
});

test("The expiry of a new API key must be in the future; a request that is repeated within a day still returns the key", () => {
  expect(() => assertFutureExpiry(5, 5)).toThrow("must be in the future");
  assertFutureExpiry(null, 5);
  expect(findRepeatFault({ createdAt: 0 }, REPEATABLE_MS - 1)).toBeNull();
  expect(findRepeatFault({ createdAt: 0 }, REPEATABLE_MS)).toMatchObject({ code: "conflict" });
});
