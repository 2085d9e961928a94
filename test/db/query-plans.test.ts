import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { surfaces } from "../support/surfaces.ts";
import { stopClock } from "../support/clock.ts";
import { useCampaignPages } from "../support/campaign-pages.ts";
import { useCannedReplies } from "../support/every-canned-reply.ts";
import { once, useContacts, useMessages, useTemplates } from "../support/every-call.ts";
import { useCampaigns } from "../support/every-campaign-call.ts";
import { useWebhooks } from "../support/every-webhook.ts";
import { useConversations } from "../support/every-conversation.ts";
import { useMedia } from "../support/every-media-call.ts";
import { useMembers } from "../support/every-member-call.ts";
import { useEvents } from "../support/every-event.ts";
import { useContactPages, useEventPages, useInbox } from "../support/every-page.ts";
import { useProviders } from "../support/every-provider.ts";
import type { Ran } from "../support/recorded-statements.ts";
import { recordedWorld } from "../support/recording.ts";
import { onShard } from "../support/storage.ts";
import { type Customer, phoneEnding, type World } from "../support/world.ts";

/** A migration that adds columns to the search index makes this change. */
const indexAnew = (customer: Customer) =>
  onShard(customer, "INSERT INTO cleanups (workspace_id, kind, number) VALUES (?, 'index', 0)", customer.workspaceId);

/** The cron updates statistics. */
const FIVE_MINUTES = 300_000;

/** Calls every endpoint, job and cron task, with all variants that have their own SQL. */
async function useEverything(world: World): Promise<void> {
  const customer = await world.customer();
  const { connectionId } = customer;

  // Sends messages that are delivered, rejected, retried, lost, and answered by an echo and by a STOP.
  for (const ending of ["1234", "0001", "0002", "0003", "0005", "0006", "0007"]) {
    await customer.send(phoneEnding(ending), "Hello", once());
  }
  const to = phoneEnding("1234");
  const sent = (await customer.send(to)).body;
  await world.settle();
  await customer.receive(to, "Hi");
  await customer.receive(to, "STOP");
  await customer.receive(to, "START");
  await customer.receive("somebody-without-a-number", "Hello", "Ada");
  await customer.call("GET", `/messages/${sent.message_id}`);

  const conversation = `/conversations/${sent.conversation_id}`;
  const lists = ["", "?status=open", "?unread=true", "?status=done&unread=true"];
  for (const query of lists) await customer.call("GET", `/conversations${query}`);
  const { next_cursor: more } = (await customer.call("GET", "/conversations?limit=1")).body;
  await customer.call("GET", `/conversations?limit=1&cursor=${more}`);
  await customer.call("GET", `/conversations?limit=1&status=open&cursor=${more}`);
  await customer.call("GET", conversation);
  await customer.call("POST", `${conversation}/messages`, { text: "A reply" }, once());
  const history = (await customer.call("GET", `${conversation}/messages?limit=1`)).body;
  await customer.call("GET", `${conversation}/messages?limit=1&cursor=${history.next_cursor}`);
  await customer.call("POST", `${conversation}/read`, undefined, once());
  await customer.call("PATCH", conversation, { status: "done" }, once());

  const contact = `/contacts/${sent.contact_id}`;
  await customer.call("GET", contact);
  await customer.call("PATCH", contact, { name: "Ada", is_unsubscribed: true }, once());
  await customer.call("PUT", contact, { is_unsubscribed: false });
  await useContacts(customer);
  await useContactPages(customer, sent.contact_id);
  await useTemplates(customer);
  await useCannedReplies(customer);
  await useMessages(customer);
  await useConversations(customer);
  await useCampaigns(customer);
  const { campaigns } = (await customer.call("GET", "/campaigns?limit=1")).body;
  await customer.call("GET", `/messages?campaign_id=${campaigns[0]?.campaign_id}`);
  await useMembers(customer);
  await useMedia(customer);
  await useWebhooks(customer);
  await useCampaignPages(customer);
  await useInbox(customer);
  await useEventPages(customer);
  await useEvents(customer);

  // Creates work for the cron: a dead run, contacts to index again, failed events and used keys.
  await customer.send(phoneEnding("0002"));
  await indexAnew(customer);
  world.advance(3_600_000);
  await world.cron();
  await world.settle();
  world.setTime(Math.ceil(Date.now() / FIVE_MINUTES) * FIVE_MINUTES);
  await world.cron();
  for (const path of ["/statistics", "/requests", "/requests/usage"]) await customer.manage("GET", path);
  await world.env.USAGE_QUEUE.send({ keyId: customer.keyId, at: Date.now() });
  const deadEvent = { workspace: { id: customer.workspaceId, number: 1, shard: 0 }, v: 1, connectionId, event: {} };
  await world.queues.binding("tidings-events-dead").send(deadEvent);
  await world.queues.deliverDue(world.env);

  const dead = (await customer.manage("GET", "/events/dead?limit=1")).body;
  await customer.manage("GET", `/events/dead?cursor=${btoa(JSON.stringify([Date.now(), "f"])).replaceAll("=", "")}`);
  await customer.manage("POST", `/events/dead/${dead.events[0]?.id}/replay`);

  await useProviders(world);

  await world.manage("GET", "/status");
  await world.manage("GET", "/workspaces?limit=1");
  const second = (await world.manage("POST", "/workspaces", { name: "Second" })).body.workspace;
  const { next_cursor: next } = (await world.manage("GET", "/workspaces?limit=1")).body;
  await world.manage("GET", `/workspaces?cursor=${next}`);
  await world.manage("GET", `/workspaces/${second.id}`);
  await world.manage("PATCH", `/workspaces/${customer.workspaceId}`, { name: "Acme", plan: "scale" });

  const sandbox = { name: "Another", channel: "unofficial", provider: "sandbox", config: {}, is_default: true };
  const another = (await customer.manage("POST", "/connections", sandbox)).body.connection;
  const { next_cursor: rest } = (await customer.manage("GET", "/connections?limit=1")).body;
  await customer.manage("GET", `/connections?cursor=${rest}`);
  await customer.manage("GET", `/connections/${connectionId}`);
  await customer.manage("PATCH", `/connections/${connectionId}`, { name: "Renamed", is_default: true });
  await customer.manage("PATCH", `/connections/${connectionId}`, { messages_per_second: 10 });
  await customer.manage("POST", `/connections/${connectionId}/test`);
  await customer.outbox();
  const outbox = (await customer.manage("GET", `/connections/${connectionId}/outbox?limit=1`)).body;
  await customer.outbox(`?limit=1&cursor=${outbox.next_cursor}&to=${encodeURIComponent(to)}`);
  await customer.manage("DELETE", `/connections/${another.id}`);

  const apiKeys = `/api-keys`;
  const spare = (await customer.manage("POST", apiKeys, { name: "Spare", connection_id: connectionId })).body.api_key;
  const { next_cursor: older } = (await customer.manage("GET", `${apiKeys}?limit=1`)).body;
  await customer.manage("GET", `${apiKeys}?cursor=${older}`);
  await customer.manage("GET", `${apiKeys}/${spare.id}`);
  await customer.manage("PATCH", `${apiKeys}/${spare.id}`, { name: "Renamed", read_only: true });
  await customer.manage("POST", `${apiKeys}/${spare.id}/revoke`);
}

/** After the colon, FTS5 names its constraint: M for a match, = for a rowid. Neither scans the whole index. */
const wholeIndex = /^SCAN (?:contact|message)_search\S* VIRTUAL TABLE INDEX \d+:(?!.*[M=])/;

/** Returns the lines of a plan that scan a whole table or index. Scans of temporary tables are allowed. */
async function scansOf({ database, sql, values }: Ran): Promise<string[]> {
  const { results } = await database
    .prepare(`EXPLAIN QUERY PLAN ${sql}`)
    .bind(...values)
    .all<{ detail: string }>();
  const plan = results.map(({ detail }) => detail);
  const made = plan.map((line) => /^(?:MATERIALIZE|CO-ROUTINE) (\S+)/.exec(line)?.[1]);
  return plan.filter((line) => {
    const scanned = /^SCAN (\S+)/.exec(line)?.[1];
    if (wholeIndex.test(line)) return true;
    if (scanned === undefined || line === "SCAN CONSTANT ROW" || line.includes("VIRTUAL TABLE")) return false;
    return !made.includes(scanned);
  });
}

describe("Query plans", { tags: "long" }, () => {
  const asked = new Set<string>();
  const refused: string[] = [];
  const statements = new Map<string, Ran>();

  beforeAll(async () => {
    stopClock();
    const { world, recording } = recordedWorld();
    const request = vi.spyOn(world, "request");
    await useEverything(world);
    for (const [method, path] of request.mock.calls) asked.add(`${method} ${path.replace(/\?.*/, "")}`);
    for (const [index, { value }] of request.mock.settledResults.entries()) {
      const [method, path] = request.mock.calls[index] ?? [];
      if (value.status >= 400) refused.push(`${method} ${path}: ${JSON.stringify(value.body)}`);
    }
    for (const statement of recording.statements) statements.set(statement.sql, statement);
  });

  beforeEach(stopClock);

  it("The query plan test calls every endpoint, and every call succeeds", () => {
    const patterns = surfaces.flatMap(({ base, endpoints }) =>
      endpoints.map(({ method, path }) => `${method.toUpperCase()} ${base}${path}`),
    );
    const calls = [...asked];
    const wasCalled = (pattern: string) =>
      calls.some((call) => new RegExp(`^${pattern.replace(/:\w+/g, "[^/]+")}$`).test(call));
    expect(patterns.filter((pattern) => !wasCalled(pattern))).toEqual([]);
    expect(refused.join("\n")).toBe("");
  });

  it("The query plan of every statement uses an index, and no statement scans a whole table or index", async () => {
    const found: Record<string, string[]> = {};
    for (const statement of statements.values()) {
      const scans = await scansOf(statement);
      if (scans.length > 0) found[statement.sql.replace(/\s+/g, " ").trim()] = scans;
    }
    expect(found).toEqual({});
    expect(statements.size).toBeGreaterThan(40);
  });
});
