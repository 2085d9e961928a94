import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { ORDER_UPDATE } from "../support/providers/cloud-templates.ts";
import { CloudStandIn } from "../support/providers/cloud.ts";
import type { Handed, Status } from "../support/providers/stand-in.ts";
import { startProvider } from "./provider.ts";
import { eventually, makeStateDir, type OwnService, startService } from "./service.ts";

const RECIPIENTS = 1000;
const PER_SECOND = 200;
const CONTACTS_A_CALL = 500;
const CLIENTS = 12;
const COPIES = 2;
const STATUSES: Status[] = ["sent", "delivered", "read"];
const KILLS = 3;
/** The number of further accepted statuses before the next kill. */
const STRETCH = 900;
/** The most messages of leases that can be under way when the process dies. */
const CUT_OFF = 400;
/** An unsettled claim becomes `unknown` after 2 minutes. The rest is for the cron and a slow machine. */
const SETTLED_WITHIN_MS = 300_000;

/** Reports each status of each accepted message alone, twice and in random order, until the service accepts it. */
class Reports {
  accepted = 0;
  isOver = false;
  private noted = 0;
  private readonly waiting: { handed: Handed; status: Status }[] = [];

  private readonly cloud: CloudStandIn;
  private readonly url: string;

  constructor(cloud: CloudStandIn, url: string) {
    this.cloud = cloud;
    this.url = url;
  }

  get isEmpty(): boolean {
    return this.noted === this.cloud.handed.length && this.accepted === this.noted * STATUSES.length * COPIES;
  }

  async run(): Promise<void> {
    while (!this.isOver) {
      for (; this.noted < this.cloud.handed.length; this.noted++) {
        const handed = this.cloud.handed[this.noted];
        for (const status of handed === undefined ? [] : STATUSES)
          for (let copy = 0; copy < COPIES; copy++) if (handed !== undefined) this.waiting.push({ handed, status });
      }
      const [next] = this.waiting.splice(Math.floor(Math.random() * this.waiting.length), 1);
      if (next === undefined) await sleep(50);
      else if (await this.post(next.handed, next.status)) this.accepted++;
      else {
        this.waiting.push(next);
        await sleep(200);
      }
    }
  }

  private async post(handed: Handed, status: Status): Promise<boolean> {
    const { body, headers } = await this.cloud.status(handed, handed.request.biz_opaque_callback_data, status);
    try {
      const response = await fetch(this.url, { method: "POST", body, headers, signal: AbortSignal.timeout(20_000) });
      await response.arrayBuffer();
      return response.ok;
    } catch {
      return false;
    }
  }
}

/** A campaign through a provider of this machine. */
async function startCampaign(service: OwnService, cloud: CloudStandIn, url: string) {
  const { manage } = await service.operator();
  const { workspace } = await manage.workspaces.create({ name: "Acme", plan: "scale" });
  cloud.templates = [ORDER_UPDATE];
  const { connection } = await manage.connections.create(workspace.id, cloud.connection(url));
  await manage.connections.update(workspace.id, connection.id, { messages_per_second: PER_SECOND });
  await manage.connections.syncTemplates(workspace.id, connection.id);
  const rate_limit = { requests: 10_000, window_seconds: 20 };
  const { key } = await manage.apiKeys.create(workspace.id, { name: "Test", connection_id: connection.id, rate_limit });
  const tidings = service.client(key);
  for (let first = 0; first < RECIPIENTS; first += CONTACTS_A_CALL) {
    const numbers = Array.from({ length: CONTACTS_A_CALL }, (_, index) => `+1415${2_000_008 + (first + index) * 10}`);
    await tidings.contacts.upsertBatch({ contacts: numbers.map((phone) => ({ phone })) });
  }
  const [template] = (await tidings.templates.list({ source: "external" })).templates;
  const { campaign_id: id } = await tidings.campaigns.start({ template_id: template?.id ?? "", channel: "official" });
  return { id, key, workspaceId: workspace.id, hook: connection.webhook_url };
}

it(
  "If the service is killed three times, no status of a campaign is lost, even if statuses arrive one by one, twice and in random order",
  { timeout: 600_000 },
  async () => {
    const stateDir = makeStateDir();
    const cloud = new CloudStandIn();
    const provider = await startProvider(cloud);
    let service = await startService(stateDir);
    const { id, key, workspaceId, hook } = await startCampaign(service, cloud, provider.url);
    const { campaigns } = service.client(key);
    const reports = new Reports(cloud, hook);
    const clients = Promise.all(Array.from({ length: CLIENTS }, () => reports.run()));
    try {
      for (let kill = 1; kill <= KILLS; kill++) {
        await eventually("The next kill", 120_000, () => reports.accepted >= kill * STRETCH || null);
        service.crash();
        service = await startService(stateDir, { port: service.port });
      }
      let cronAt = 0;
      await eventually("The last status", SETTLED_WITHIN_MS, async () => {
        if (Date.now() < cronAt + 5000) return null; // to ask more often would only load the machine
        await service.cron();
        cronAt = Date.now();
        const { campaign } = await campaigns.get(id);
        return (campaign.status === "completed" && reports.isEmpty) || null;
      });
    } finally {
      reports.isOver = true;
      await clients;
    }

    const handed = new Set(cloud.handed.map(({ request }) => String(request.biz_opaque_callback_data)));
    expect(handed.size).toBe(cloud.handed.length);
    const counts = await eventually("The last hand-over", 30_000, async () => {
      const { campaign } = await campaigns.get(id);
      return campaign.counts.read === handed.size ? campaign.counts : null;
    });
    expect(counts).toMatchObject({
      read: handed.size,
      unknown: RECIPIENTS - handed.size,
      pending: 0,
      sent: 0,
      delivered: 0,
    });
    expect(counts.unknown).toBeLessThanOrEqual(KILLS * CUT_OFF);
    const { manage } = await service.operator();
    const { stored, differences } = await manage.campaigns.reconcile(workspaceId, id);
    expect({ stored, differences }).toEqual({ stored: counts, differences: {} });
  },
);
