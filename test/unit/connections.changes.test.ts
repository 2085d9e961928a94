import { expect, test } from "vitest";
import {
  changeConnection,
  changedConnectionEvents,
  createdConnectionEvent,
  lostDefaultEvents,
  WORKING,
} from "../../src/features/connections/connections.changes.ts";

const connection = {
  id: "conn_1",
  name: "Main",
  channel: "official" as const,
  provider: "whatsapp_cloud" as const,
  ...WORKING,
  isDefault: false,
  messagesPerSecond: 80,
  config: { phone_number_id: "1" },
  secrets: {},
  workspaceId: "ws_1",
  templateSyncAt: null,
  templateSyncFailures: 0,
  templateChanges: 0,
  messagingLimit: null,
  messagingLimitAt: null,
  deletedAt: null,
  createdAt: 0,
};
const nothing = { change: {}, rendered: {}, settings: {}, changesSending: false, now: 9 };

test("New settings of a connection are merged with the stored settings, and other fields stay", () => {
  const change = { name: "New", config: { business_account_id: "2" } };
  expect(changeConnection(connection, { ...nothing, change })).toEqual({
    ...connection,
    name: "New",
    config: { phone_number_id: "1", business_account_id: "2" },
  });
});

test("New settings that affect sending make an unreachable connection active", () => {
  const down = { ...connection, status: "error" as const, statusDetail: "No answer", unreachableSince: 1, retestAt: 2 };
  const revived = changeConnection(down, { ...nothing, changesSending: true });
  expect(revived).toEqual({ ...connection, statusAt: 9 });
  expect(changeConnection(connection, { ...nothing, changesSending: true })).toEqual(connection);
  expect(changeConnection(down, nothing)).toEqual(down);
});

test("A connection form that changes the rate is rejected if another member has changed the rate since the form was opened", () => {
  const input = { ...nothing, change: { messagesPerSecond: 40 }, rendered: { messagesPerSecond: 20 } };
  expect(changeConnection(connection, input)).toMatchObject({ code: "precondition_failed" });
  expect(changeConnection({ ...connection, messagesPerSecond: 20 }, input)).toMatchObject({ messagesPerSecond: 40 });
});

test("The event about a changed connection contains the changed fields and the status, but no settings", () => {
  const after = { ...connection, name: "New", isDefault: true };
  expect(changedConnectionEvents(connection, after, true)).toEqual([
    { type: "connection.updated", id: "conn_1", changes: { name: ["Main", "New"], is_default: [false, true] } },
  ]);
  expect(changedConnectionEvents(connection, connection, true)).toEqual([{ type: "connection.updated", id: "conn_1" }]);
  expect(changedConnectionEvents(connection, connection, false)).toEqual([]);
  expect(changedConnectionEvents({ ...connection, status: "error", statusDetail: "x" }, connection, false)).toEqual([
    {
      type: "connection.status_changed",
      id: "conn_1",
      changes: { status: ["error", "active"], status_detail: ["x", null] },
    },
  ]);
  expect(lostDefaultEvents([{ id: "conn_2" }])).toEqual([
    { type: "connection.updated", id: "conn_2", changes: { is_default: [true, false] } },
  ]);
  expect(Object.keys(createdConnectionEvent(connection).changes ?? {})).not.toContain("config");
});
