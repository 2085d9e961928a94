import { describe, expect, it } from "vitest";
import { state } from "../../src/features/messages/messages.states.ts";
import { expand, phones } from "../support/recipients.ts";
import { onShard } from "../support/storage.ts";
import { World } from "../support/world.ts";

describe("Message states in triggers", () => {
  it("A trigger records each number to which a running campaign has sent, or might have sent, a message", async () => {
    const customer = await new World().customer();
    const states = Object.entries(state);
    const campaign = await expand(customer, phones(states.length), Object.values(state));
    const prefix = campaign.recipients[0]?.id.slice(0, -8) ?? "";
    await onShard(
      customer,
      `INSERT INTO campaigns (id, workspace_id, workspace_number, name, template_id, channel, connection_id, status, audience,
         variables, recipient_count, message_prefix, created_at)
       VALUES (?, ?, 0, 'Sale', 'tpl_1', 'unofficial', ?, 'running', '{}', '{}', 0, ?, 0)`,
      campaign.id,
      customer.workspaceId,
      customer.connectionId,
      prefix,
    );
    for (const { contactSeq } of campaign.recipients) {
      await onShard(customer, "UPDATE contacts SET archived_at = 1 WHERE seq = ?", contactSeq);
    }
    const spent = await onShard(
      customer,
      "SELECT contact_seq FROM spent_numbers WHERE campaign_id = ? ORDER BY contact_seq",
      campaign.id,
    );
    const seqs = new Set(spent.map(({ contact_seq }) => contact_seq));
    const names = states.filter((_, index) => seqs.has(campaign.recipients[index]?.contactSeq)).map(([name]) => name);
    // A queued message counts only if a lease covers it, and this test has no leases.
    expect(names).toEqual(["claimed", "unknown", "sent", "failed", "delivered", "read"]);
  });
});
