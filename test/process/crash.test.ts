import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { z } from "zod";
import { type Account, eventually, makeStateDir, type Service, startService } from "./service.ts";

const MESSAGES = 1000;
const CLIENTS = 20;
const RECIPIENTS = 10_000;
const PER_SECOND = 1000;
const CONTACTS_A_CALL = 500;
/** How many more recipients a campaign gets to before the next kill. */
const STRETCH = 1500;
/** What one delivery of the queue can have under way when the process dies. */
const CUT_OFF = 500;
const KILLS = 3;
/** A claim that nobody settled becomes `unknown` after 2 minutes; some for the cron and a slow machine. */
const SETTLED_WITHIN_MS = 240_000;

const accepted = z.object({ message_id: z.string() });
const shown = z.object({ message: z.object({ delivery: z.string() }) });
const outboxPage = z.object({
  deliveries: z.array(z.object({ message_id: z.string(), to: z.string() })),
  next_cursor: z.string().nullable(),
});
const recipient = z.object({ contact_id: z.string(), message_id: z.string(), phone: z.string(), state: z.string() });
const recipientPage = z.object({ recipients: z.array(recipient), next_cursor: z.string().nullable() });
const startedCampaign = z.object({ campaign_id: z.string(), recipient_count: z.number() });
const counts = z.record(z.string(), z.number());
const shownCampaign = z.object({
  campaign: z.object({ status: z.string(), recipient_count: z.number(), counts }),
});
const madeTemplate = z.object({ template: z.object({ id: z.string() }) });
const reconciled = z.object({ stored: counts, differences: counts });

/** No two alike, and none whose ending the sandbox treats specially. */
const numberOf = (index: number) => `+1415${2_000_008 + index * 10}`;

async function ask<T>(
  service: Service,
  { method, path, key, body }: { method: string; path: string; key: string; body?: object },
  shape: z.ZodType<T>,
): Promise<T> {
  const response = await service.request(method, `/api/v1${path}`, key, body);
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
  return shape.parse(JSON.parse(text));
}

/** All pages of a list. */
async function walk<T>(read: (query: string) => Promise<{ items: T[]; next_cursor: string | null }>): Promise<T[]> {
  const all: T[] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const page = await read(`limit=100${cursor === "" ? "" : `&cursor=${cursor}`}`);
    all.push(...page.items);
    cursor = page.next_cursor;
  }
  return all;
}

/** Sends until answered, always with the same key: a lost answer must not become a second message. */
async function send(service: Service, key: string, index: number): Promise<string> {
  const body = { to: numberOf(index), text: `Message ${index}` };
  const headers = { "Idempotency-Key": `message-${index}` };
  for (;;) {
    const answer = await service
      .request("POST", "/api/v1/messages", key, body, headers)
      .then(async (response) => ({ status: response.status, text: await response.text() }))
      .catch(() => null);
    if (answer?.status === 202) return accepted.parse(JSON.parse(answer.text)).message_id;
    if (answer !== null && answer.status !== 503) throw new Error(`Message ${index}: ${answer.status} ${answer.text}`);
    await sleep(100);
  }
}

const deliveryOf = async (service: Service, key: string, id: string): Promise<string> =>
  (await ask(service, { method: "GET", path: `/messages/${id}`, key }, shown)).message.delivery;

const outboxOf = (service: Service, { workspaceId, connectionId }: Account) =>
  walk(async (query) => {
    const page = await service.manage("GET", `/${workspaceId}/connections/${connectionId}/outbox?${query}`);
    const { deliveries: items, next_cursor } = outboxPage.parse(page);
    return { items, next_cursor };
  });

/** A campaign to `RECIPIENTS` people, started over HTTP; gives its id. */
async function startCampaign(service: Service, { workspaceId, connectionId, key }: Account): Promise<string> {
  await service.manage("PATCH", `/${workspaceId}/connections/${connectionId}`, { messages_per_second: PER_SECOND });
  for (let first = 0; first < RECIPIENTS; first += CONTACTS_A_CALL) {
    const contacts = Array.from({ length: CONTACTS_A_CALL }, (_, index) => ({ phone: numberOf(first + index) }));
    await ask(service, { method: "POST", path: "/contacts/batch", key, body: { contacts } }, z.unknown());
  }
  const template = { name: "News", body: "Good news" };
  const made = await ask(service, { method: "POST", path: "/templates", key, body: template }, madeTemplate);
  const body = { template_id: made.template.id, channel: "unofficial" };
  const started = await ask(service, { method: "POST", path: "/campaigns", key, body }, startedCampaign);
  expect(started.recipient_count).toBe(RECIPIENTS);
  return started.campaign_id;
}

const campaignOf = async (service: Service, { key }: Account, id: string) =>
  (await ask(service, { method: "GET", path: `/campaigns/${id}`, key }, shownCampaign)).campaign;

const recipientsOf = (service: Service, { key }: Account, id: string) =>
  walk(async (query) => {
    const path = `/campaigns/${id}/recipients?${query}`;
    const { recipients: items, next_cursor } = await ask(service, { method: "GET", path, key }, recipientPage);
    return { items, next_cursor };
  });

const settledIn = (campaign: z.infer<typeof shownCampaign>["campaign"]) =>
  campaign.recipient_count - (campaign.counts["pending"] ?? 0);

/** Kills everything once that has come about; gives the service that follows. */
async function killOnce(service: Service, stateDir: string, isThere: () => Promise<boolean>): Promise<Service> {
  await eventually("The next kill", 120_000, async () => ((await isThere()) ? true : null));
  service.crash();
  return startService(stateDir, { port: service.port });
}

function timesBy(items: string[]): Map<string, number> {
  const times = new Map<string, number>();
  for (const item of items) times.set(item, (times.get(item) ?? 0) + 1);
  return times;
}

/** Nobody is without a message who is not `unknown`, nobody has two, and the ledger knows of no others. */
function expectOnce(sent: { id: string; state: string }[], handed: { message_id: string; to: string }[]): void {
  const times = timesBy(handed.map(({ message_id: id }) => id));
  const states = new Map(sent.map(({ id, state }) => [id, state]));
  expect(sent.filter(({ id, state }) => state !== "unknown" && times.get(id) !== 1)).toEqual([]);
  expect([...times].filter(([id, count]) => count > 1 || !states.has(id))).toEqual([]);
  expect(new Set(handed.map(({ to }) => to)).size).toBe(handed.length);
}

it(
  "Of 1,000 messages and a campaign of 10,000 nothing is lost or sent twice when the service is killed three times in the middle",
  { timeout: 600_000 },
  async () => {
    const stateDir = makeStateDir();
    let service = await startService(stateDir);
    const account = await service.account(10_000, 20);
    const broadcaster = await service.account(10_000, 20);
    const id = await startCampaign(service, broadcaster);

    const ids = new Map<number, string>();
    let next = 0;
    const client = async () => {
      for (let index = next++; index < MESSAGES; index = next++)
        ids.set(index, await send(service, account.key, index));
    };
    const clients = Promise.all(Array.from({ length: CLIENTS }, client));
    let reached = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      service = await killOnce(service, stateDir, async () => {
        const campaign = await campaignOf(service, broadcaster, id);
        if (settledIn(campaign) < reached + STRETCH || (kill === 0 && ids.size < MESSAGES / 2)) return false;
        reached = settledIn(campaign);
        expect(campaign.status).toBe("running");
        return true;
      });
    }
    await clients;

    // Whatever a message was doing when the process died, it comes to an end.
    const deliveries = new Map<string, string>();
    let cronAt = 0;
    await eventually("The end of every message", SETTLED_WITHIN_MS, async () => {
      if (Date.now() > cronAt + 5000) {
        await service.cron();
        cronAt = Date.now();
      }
      const open = [...ids.values()].filter((each) => (deliveries.get(each) ?? "queued") === "queued");
      for (const each of open.slice(0, 100)) deliveries.set(each, await deliveryOf(service, account.key, each));
      const campaign = await campaignOf(service, broadcaster, id);
      return open.length === 0 && campaign.status === "completed" ? true : null;
    });

    expect(new Set(ids.values()).size).toBe(MESSAGES);
    const messages = [...deliveries].map(([message, state]) => ({ id: message, state }));
    expectOnce(messages, await outboxOf(service, account));
    expect(messages.filter(({ state }) => state === "unknown").length).toBeLessThan(200);

    const recipients = await recipientsOf(service, broadcaster, id);
    expect(new Set(recipients.map(({ phone }) => phone)).size).toBe(RECIPIENTS);
    expectOnce(
      recipients.map(({ message_id, state }) => ({ id: message_id, state })),
      await outboxOf(service, broadcaster),
    );
    const campaign = await campaignOf(service, broadcaster, id);
    const listed = Object.fromEntries(timesBy(recipients.map(({ state }) => state)));
    expect(campaign.counts).toEqual({
      pending: 0,
      failed: 0,
      skipped: 0,
      sent: 0,
      delivered: 0,
      unknown: 0,
      ...listed,
    });
    expect(campaign.counts["unknown"]).toBeLessThanOrEqual(KILLS * CUT_OFF);
    const path = `/${broadcaster.workspaceId}/campaigns/${id}/reconcile`;
    expect(reconciled.parse(await service.manage("POST", path))).toEqual({ stored: campaign.counts, differences: {} });
  },
);
