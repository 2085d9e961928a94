import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { type Campaign, type Tidings, TidingsError } from "../../sdk/src/index.ts";
import { type Account, eventually, makeStateDir, type OwnService, type Service, startService } from "./service.ts";

const MESSAGES = 1000;
const CLIENTS = 20;
const RECIPIENTS = 10_000;
const PER_SECOND = 1000;
const CONTACTS_A_CALL = 500;
/** The number of recipients between two kills. */
const STRETCH = 1500;
/** The largest number of messages that the process can be sending when it is killed. */
const CUT_OFF = 500;
const KILLS = 3;
/** An unsettled claim becomes `unknown` after 2 minutes. The rest is for the cron and a slow machine. */
const SETTLED_WITHIN_MS = 240_000;

/** A different number for each index. The sandbox treats none of their endings specially. */
const numberOf = (index: number) => `+1415${2_000_008 + index * 10}`;

async function walk<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** Repeats the request with the same key until it returns. After a lost response, the key prevents a second message. */
async function send(tidings: Tidings, index: number): Promise<string> {
  const body = { to: numberOf(index), text: `Message ${index}` };
  for (;;) {
    try {
      return (await tidings.messages.send(body, { idempotencyKey: `message-${index}` })).message_id;
    } catch (error) {
      const isDown = error instanceof TidingsError && (error.code === "network_error" || error.status === 503);
      if (!isDown) throw error;
      await sleep(100);
    }
  }
}

const outboxOf = async (service: Service, { workspaceId, connectionId }: Account) =>
  walk((await service.operator()).manage.connections.outbox(workspaceId, connectionId, { limit: 100 }));

/** Starts a campaign to `RECIPIENTS` people over HTTP, and returns its id. */
async function startCampaign(service: Service, { workspaceId, connectionId, key }: Account): Promise<string> {
  const { manage } = await service.operator();
  await manage.connections.update(workspaceId, connectionId, { messages_per_second: PER_SECOND });
  const tidings = service.client(key);
  for (let first = 0; first < RECIPIENTS; first += CONTACTS_A_CALL) {
    const contacts = Array.from({ length: CONTACTS_A_CALL }, (_, index) => ({ phone: numberOf(first + index) }));
    await tidings.contacts.upsertBatch({ contacts });
  }
  const { template } = await tidings.templates.create({ name: "News", body: "Good news" });
  const started = await tidings.campaigns.start({ template_id: template.id, channel: "unofficial" });
  expect(started.recipient_count).toBe(RECIPIENTS);
  return started.campaign_id;
}

const settledIn = ({ recipient_count, counts }: Campaign) => recipient_count - counts.pending;

/** Kills all processes as soon as the condition is true. Returns the restarted service. */
async function killOnce(service: OwnService, stateDir: string, isThere: () => Promise<boolean>): Promise<OwnService> {
  await eventually("The next kill", 120_000, async () => ((await isThere()) ? true : null));
  service.crash();
  return startService(stateDir, { port: service.port });
}

function timesBy(items: string[]): Map<string, number> {
  const times = new Map<string, number>();
  for (const item of items) times.set(item, (times.get(item) ?? 0) + 1);
  return times;
}

/** Expects that nobody received two messages, and that everybody received one unless the message is `unknown`. */
function expectOnce(sent: { id: string; state: string }[], handed: { message_id: string; to: string }[]): void {
  const times = timesBy(handed.map(({ message_id: id }) => id));
  const states = new Map(sent.map(({ id, state }) => [id, state]));
  expect(sent.filter(({ id, state }) => state !== "unknown" && times.get(id) !== 1)).toEqual([]);
  expect([...times].filter(([id, count]) => count > 1 || !states.has(id))).toEqual([]);
  expect(new Set(handed.map(({ to }) => to)).size).toBe(handed.length);
}

it(
  "If the service is killed three times, none of 1,000 messages and 10,000 campaign recipients is lost or repeated",
  { timeout: 600_000 },
  async () => {
    const stateDir = makeStateDir();
    let service = await startService(stateDir);
    const account = await service.account(10_000, 20);
    const broadcaster = await service.account(10_000, 20);
    const id = await startCampaign(service, broadcaster);
    const sender = service.client(account.key);
    const { campaigns } = service.client(broadcaster.key);

    const ids = new Map<number, string>();
    let next = 0;
    const client = async () => {
      for (let index = next++; index < MESSAGES; index = next++) ids.set(index, await send(sender, index));
    };
    const clients = Promise.all(Array.from({ length: CLIENTS }, client));
    let reached = 0;
    for (let kill = 0; kill < KILLS; kill++) {
      service = await killOnce(service, stateDir, async () => {
        const { campaign } = await campaigns.get(id);
        if (settledIn(campaign) < reached + STRETCH || (kill === 0 && ids.size < MESSAGES / 2)) return false;
        reached = settledIn(campaign);
        expect(campaign.status).toBe("running");
        return true;
      });
    }
    await clients;

    // Each message reaches a final state, whatever its state was when the process was killed.
    const deliveries = new Map<string, string>();
    let cronAt = 0;
    await eventually("The end of every message", SETTLED_WITHIN_MS, async () => {
      if (Date.now() < cronAt + 5000) return null; // to ask more often would only load the machine
      await service.cron();
      cronAt = Date.now();
      const open = [...ids.values()].filter((each) => (deliveries.get(each) ?? "queued") === "queued");
      for (const each of open.slice(0, 100)) {
        const { message } = await sender.messages.get(each);
        deliveries.set(each, message.delivery);
      }
      const { campaign } = await campaigns.get(id);
      return open.length === 0 && campaign.status === "completed" ? true : null;
    });

    expect(new Set(ids.values()).size).toBe(MESSAGES);
    const messages = [...deliveries].map(([message, state]) => ({ id: message, state }));
    expectOnce(messages, await outboxOf(service, account));
    expect(messages.filter(({ state }) => state === "unknown").length).toBeLessThan(200);

    const recipients = await walk(campaigns.recipients(id, { limit: 100 }));
    expect(new Set(recipients.map(({ phone }) => phone)).size).toBe(RECIPIENTS);
    expectOnce(
      recipients.map(({ message_id, state }) => ({ id: message_id ?? "", state })),
      await outboxOf(service, broadcaster),
    );
    const { campaign } = await campaigns.get(id);
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
    expect(campaign.counts.unknown).toBeLessThanOrEqual(KILLS * CUT_OFF);
    const { manage } = await service.operator();
    const { stored, differences } = await manage.campaigns.reconcile(broadcaster.workspaceId, id);
    expect({ stored, differences }).toEqual({ stored: campaign.counts, differences: {} });
  },
);
