import { campaign, recipientsOf } from "../campaigns.ts";
import { onShard } from "../storage.ts";
import type { FaultsMade } from "./fault-run.ts";

const RECIPIENTS = `
  SELECT m.id, m.contact_seq, m.state, coalesce(d.times, 0) AS times
  FROM messages m LEFT JOIN (
    SELECT message_id, count(*) AS times FROM sandbox_deliveries WHERE connection_id = ?2 GROUP BY message_id
  ) d ON d.message_id = m.id WHERE m.campaign_id = ?1`;

export interface Proof {
  /** Contacts that should be recipients but are not, and recipients with neither a message nor a reason. */
  lost: number;
  /** Messages that were sent twice, and people who received two messages. */
  duplicated: number;
  unknown: number;
  /** Messages that are `unknown` although no process died while it sent them. */
  unknownWithoutCause: number;
  countsAddUp: boolean;
  counts: Record<string, number>;
  /** How the rows and the list of recipients differ from the campaign's counts. */
  differences: Record<string, number>;
  listed: Record<string, number>;
  /** How many messages have a price, according to the campaign's count and according to the rows. */
  priced: { stored: number; actual: number };
}

const pricedIn = (cost: Record<string, { billable: number; free: number }>): number =>
  Object.values(cost).reduce((sum, { billable, free }) => sum + billable + free, 0);

export async function prove({ customer, id, mayBeUnknown }: FaultsMade): Promise<Proof> {
  const { workspaceId, connectionId } = customer;
  const [rows] = await onShard(
    customer,
    `SELECT (SELECT count(*) FROM contacts c WHERE c.workspace_id = ?3
          AND NOT EXISTS (SELECT 1 FROM messages m WHERE m.contact_seq = c.seq AND m.campaign_id = ?1)
          AND NOT EXISTS (SELECT 1 FROM suppressions s WHERE s.workspace_id = c.workspace_id AND s.key = c.id))
        + sum(state < 2 OR (times = 0 AND state NOT IN (2, 4, 7))) AS lost,
      count(*) - count(DISTINCT contact_seq) + sum(times > 1) + (
        SELECT count(*) - count(DISTINCT address) FROM sandbox_deliveries WHERE connection_id = ?2) AS duplicated
     FROM (${RECIPIENTS})`,
    id,
    connectionId,
    workspaceId,
  );
  const unknown = await onShard(customer, `SELECT id FROM messages WHERE campaign_id = ? AND state = 2`, id);
  const { counts, recipient_count } = await campaign(customer, id);
  const { differences, cost } = (await customer.manage("POST", `/campaigns/${id}/reconcile`)).body;
  const listed: Record<string, number> = Object.fromEntries(Object.keys(counts).map((state) => [state, 0]));
  for (const { state } of await recipientsOf(customer, id)) listed[state] = (listed[state] ?? 0) + 1;
  const sum = Object.keys(listed).reduce((total, state) => total + counts[state], 0);
  return {
    lost: Number(rows?.["lost"]),
    duplicated: Number(rows?.["duplicated"]),
    unknown: unknown.length,
    unknownWithoutCause: unknown.filter((row) => !mayBeUnknown.has(String(row["id"]))).length,
    countsAddUp: sum === recipient_count,
    counts,
    differences,
    listed,
    priced: { stored: pricedIn(cost.stored), actual: pricedIn(cost.actual) },
  };
}
