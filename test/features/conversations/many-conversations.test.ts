import { expect, it } from "vitest";
import { contextOf } from "../../support/context.ts";
import { costOf, onShard } from "../../support/storage.ts";
import { phoneEnding, World } from "../../support/world.ts";

const COUNT = 5000;
const SHOWN = 20;

it("With 5,000 conversations, each filter reads at most four rows per returned row, in one round trip", async () => {
  const customer = await new World().customer();
  const { userId } = await customer.member("agent");
  const { conversation_id: id } = (await customer.send(phoneEnding("1234"))).body;
  await customer.call("PATCH", `/conversations/${id}`, { assignee_id: userId, labels: ["VIP"] });
  const { workspace } = await contextOf(customer);
  const numbers = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${COUNT})`;
  const seq = `${workspace.number} * 4294967296 + 1000 + i`;
  await onShard(
    customer,
    `INSERT INTO contacts (seq, id, workspace_id, name, created_at, updated_at)
      ${numbers} SELECT ${seq}, 'ct_many_' || i, ?, 'Person ' || i, i, i FROM n`,
    customer.workspaceId,
  );
  // Every filter is tested in its rare case: only one of fifty conversations matches.
  await onShard(
    customer,
    `INSERT INTO conversations (id, workspace_id, contact_seq, connection_id, channel, status, snoozed_until, assignee_id, unread_count,
        last_message, last_message_at, last_message_id, created_at)
      ${numbers} SELECT 'cnv_many_' || i, ?, ${seq}, ?, 'unofficial',
        CASE i % 3 WHEN 0 THEN 'open' WHEN 1 THEN 'done' ELSE 'snoozed' END, iif(i % 3 = 2, 9e12, NULL),
        iif(i % 50 = 0, NULL, ?), i % 7 = 0, 'Hello', i, '', i FROM n`,
    customer.workspaceId,
    customer.connectionId,
    userId,
  );
  await onShard(
    customer,
    `UPDATE conversations SET labels = '["Refund"]', label_keys = '["refund"]' WHERE workspace_id = ? AND id LIKE 'cnv_many_%'`,
    customer.workspaceId,
  );
  // Snoozes of a different workspace have expired, and the job has not ended them yet.
  await onShard(
    customer,
    `INSERT INTO conversations (id, workspace_id, contact_seq, connection_id, channel, status, snoozed_until,
        last_message, last_message_at, last_message_id, created_at)
      ${numbers} SELECT 'cnv_other_' || i, 'ws_other', i, ?, 'unofficial', 'snoozed', 1, 'Hello', i, '', i FROM n LIMIT 500`,
    customer.connectionId,
  );
  const filters = [
    "",
    "status=open",
    "status=done",
    "unread=true",
    "snoozed=true",
    "snoozed=false",
    "snoozed=false&status=open",
    "label=refund",
    "label=refund&status=done",
  ];
  for (const query of [...filters, "assignee=none", `assignee=${userId}`, `assignee=${userId}&status=open`]) {
    const answer = await customer.call("GET", `/conversations?${query}`);
    const cost = costOf(answer);
    expect(answer.body.conversations, query).toHaveLength(SHOWN);
    expect(cost["trips"], query).toBe(1);
    expect(cost["rows_read"], query).toBeLessThanOrEqual(4 * (SHOWN + 1) + 5);
  }
});
