import { env } from "cloudflare:workers";
import { sql } from "drizzle-orm";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { controlDatabase } from "../../src/db/client.ts";
import { customerServiceWindowEnd } from "../../src/features/messages/messages.customer-service-window.ts";
import { state } from "../../src/features/messages/messages.states.ts";
import { refusalColumns, sendRefusal } from "../../src/features/messages/send-refusal.sql.ts";
import { expand, phones } from "../support/recipients.ts";
import { onShard } from "../support/storage.ts";
import { World } from "../support/world.ts";

interface Facts {
  isText: boolean;
  connectionStatus: "active" | "error" | null;
  channel: "official" | "unofficial";
  address: string | null;
  optedOutAt: number | null;
  marketingOptedOutAt: number | null;
  lastInboundAt: number | null;
  wroteFrom: string | null;
}

const ADDRESS = "+14155550100";
const ordinary: Facts = {
  isText: true,
  connectionStatus: "active",
  channel: "unofficial",
  address: ADDRESS,
  optedOutAt: null,
  marketingOptedOutAt: null,
  lastInboundAt: null,
  wroteFrom: ADDRESS,
};

async function refusalAt(now: number, facts: Partial<Facts>): Promise<unknown> {
  const each = { ...ordinary, ...facts };
  const row = await controlDatabase(env).get<{ refusal: unknown }>(sql`
    SELECT ${sendRefusal(now)} AS refusal FROM (SELECT ${refusalColumns({
      is_text: sql`${each.isText ? 1 : 0}`,
      connection_status: sql`${each.connectionStatus}`,
      channel: sql`${each.channel}`,
      address: sql`${each.address}`,
      opted_out_at: sql`${each.optedOutAt}`,
      marketing_opted_out_at: sql`${each.marketingOptedOutAt}`,
      last_inbound_at: sql`${each.lastInboundAt}`,
      wrote_from: sql`${each.wroteFrom}`,
      wrote_from_key: sql`${each.wroteFrom?.startsWith("+") === true ? each.wroteFrom : null}`,
    })})`);
  return row.refusal;
}

/** The rule in plain words, which the list of conditions in SQL is compared with. */
function expectedRefusal(now: number, facts: Facts): string | null {
  const { isText, connectionStatus, channel, address, optedOutAt, marketingOptedOutAt, lastInboundAt, wroteFrom } =
    facts;
  const isOpen = lastInboundAt !== null && now < customerServiceWindowEnd(lastInboundAt);
  const isAnswer = isText && isOpen && lastInboundAt > (optedOutAt ?? 0) && wroteFrom === address;
  // An id and a number are one account; two numbers, or two ids, are not.
  const isOther =
    wroteFrom !== null && wroteFrom !== address && wroteFrom.startsWith("+") === (address ?? "").startsWith("+");
  if (connectionStatus !== "active") return "connection_inactive";
  if (address === null) return "no_address";
  if (optedOutAt !== null && !isAnswer) return "unsubscribed";
  if (marketingOptedOutAt !== null) return "marketing_opt_out";
  return channel === "official" && isText && (!isOpen || isOther) ? "window_closed" : null;
}

const CHECKED = { numRuns: 150, endOnFailure: true };
const NOW = Date.parse("2026-03-01T12:00:00Z");
const WINDOW_MS = customerServiceWindowEnd(0);

/** Around the beginning of the window, to the millisecond, as often as not. */
const lastInboundAt = fc.oneof(
  fc.constant(null),
  fc.integer({ min: -3, max: 3 }).map((offset) => NOW - WINDOW_MS + offset),
  fc.integer({ min: NOW - 2 * WINDOW_MS, max: NOW }),
);

const isOpen = (at: number | null) => at !== null && NOW < customerServiceWindowEnd(at);

describe("the refusals of a send in SQL", () => {
  it("are those of the rule in TypeScript, and the first that holds", () =>
    fc.assert(
      fc.asyncProperty(
        fc.record<Facts>({
          isText: fc.boolean(),
          connectionStatus: fc.constantFrom("active", "active", "active", "error", null),
          channel: fc.constantFrom("official", "unofficial"),
          address: fc.constantFrom(ADDRESS, ADDRESS, "BR.user", null),
          optedOutAt: fc.oneof(fc.constant(null), lastInboundAt),
          marketingOptedOutAt: fc.oneof(fc.constant(null), fc.constant(NOW - 1)),
          lastInboundAt,
          wroteFrom: fc.constantFrom(ADDRESS, ADDRESS, "+4930123456", "BR.user", "BR.other", null),
        }),
        async (facts) => (await refusalAt(NOW, facts)) === expectedRefusal(NOW, facts),
      ),
      CHECKED,
    ));
});

describe("the customer service window in SQL", () => {
  it("is closed to free text on official connections where the rule says so, and to nothing else", () =>
    fc.assert(
      fc.asyncProperty(lastInboundAt, fc.boolean(), fc.boolean(), async (at, isText, isOfficial) => {
        const channel = isOfficial ? "official" : "unofficial";
        const refusal = await refusalAt(NOW, { isText, channel, lastInboundAt: at });
        return refusal === (isText && isOfficial && !isOpen(at) ? "window_closed" : null);
      }),
      CHECKED,
    ));

  it("lets free text through to a person who wrote after the opt-out while it is open", () =>
    fc.assert(
      fc.asyncProperty(lastInboundAt, lastInboundAt, fc.boolean(), async (at, optedOutAt, isText) => {
        fc.pre(optedOutAt !== null);
        const refusal = await refusalAt(NOW, { isText, channel: "unofficial", optedOutAt, lastInboundAt: at });
        const mayAnswer = isText && isOpen(at) && (at ?? 0) > (optedOutAt ?? 0);
        return refusal === (mayAnswer ? null : "unsubscribed");
      }),
      CHECKED,
    ));
});

describe("the ranks of states in triggers", () => {
  it("keep a number as spent where a running campaign's message was sent to it, or may have been", async () => {
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
    // A queued message counts once a lease covers it, which none does here.
    expect(names).toEqual(["claimed", "unknown", "sent", "failed", "delivered", "read"]);
  });
});
