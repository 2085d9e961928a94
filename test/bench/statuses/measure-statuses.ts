// Measures the webhook of a provider that reports one status per POST, as Meta does.
import { mkdtempSync, rmSync } from "node:fs";
import { Agent } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { ORDER_UPDATE } from "../../support/providers/cloud-templates.ts";
import { CloudStandIn } from "../../support/providers/cloud.ts";
import { listen, providerServer } from "../../process/provider-server.ts";
import type { Status } from "../../support/providers/stand-in.ts";
import { Client } from "../client.ts";
import { type Deployed, startDeployed } from "../deployed.ts";
import { send } from "../http/load.ts";
import { quantile } from "../quantile.ts";
import { OVER, type Table } from "../table.ts";
import { takeSpent, TIMED } from "../timed.ts";
import { until } from "../webhooks/waiting.ts";
import { workerdCpuMs } from "../workerd.ts";

const RECIPIENTS = 1000;
/** Each status is reported once for each recipient, at this rate. */
const RATES: [status: Status, perSecond: number][] = [
  ["sent", 25],
  ["delivered", 50],
  ["read", 100],
];
const P99_MS = 250;
/**
 * A database executes one statement at a time, so its time per POST limits all connections of a shard together. It is
 * judged at the highest rate, because more statuses then share a statement.
 */
const POSTS_A_SECOND = 3000;
const PATIENCE_MS = 120_000;
const made = z.object({ id: z.string() });
const shown = z.object({ campaign: z.object({ counts: z.record(z.string(), z.number()) }) });

/** Sends a campaign through the provider. Returns its counts, and the address of the webhook. */
async function sendCampaign({ product, adminToken }: Deployed, cloud: CloudStandIn, url: string) {
  const operator = new Client(product.href, adminToken);
  const at = "/manage/v1/workspaces";
  const { workspace } = await operator.ask("POST", at, { name: "Acme", plan: "scale" }, z.object({ workspace: made }));
  const connected = z.object({ connection: made.extend({ webhook_url: z.string() }) });
  const path = `${at}/${workspace.id}`;
  const { connection } = await operator.ask("POST", `${path}/connections`, cloud.connection(url), connected);
  const own = `${path}/connections/${connection.id}`;
  await operator.ask("PATCH", own, { messages_per_second: RECIPIENTS }, z.unknown());
  await operator.ask("POST", `${own}/sync-templates`, null, z.unknown());
  const wanted = { name: "Bench", connection_id: connection.id };
  const { key } = await operator.ask("POST", `${path}/api-keys`, wanted, z.object({ key: z.string() }));
  const client = new Client(product.href, key);
  const people = Array.from({ length: RECIPIENTS }, (_, index) => ({ phone: `+1415${2_000_008 + index * 10}` }));
  for (let first = 0; first < RECIPIENTS; first += 500)
    await client.ask("POST", "/api/v1/contacts/batch", { contacts: people.slice(first, first + 500) }, z.unknown());
  const listed = z.object({ templates: z.array(made) });
  const { templates } = await client.ask("GET", "/api/v1/templates?source=external", null, listed);
  const order = { template_id: templates[0]?.id, channel: "official" };
  const started = await client.ask("POST", "/api/v1/campaigns", order, z.object({ campaign_id: z.string() }));
  const campaign = `/api/v1/campaigns/${started.campaign_id}`;
  return {
    webhook: new URL(new URL(connection.webhook_url).pathname, product),
    counts: async () => (await client.ask("GET", campaign, null, shown)).campaign.counts,
  };
}

/** Posts the statuses at a constant rate. Returns the duration of each POST in ms. */
async function report(cloud: CloudStandIn, webhook: URL, status: Status, perSecond: number): Promise<number[]> {
  const agent = new Agent({ keepAlive: true });
  const startedAt = performance.now();
  const posts = cloud.handed.map(async (handed, index) => {
    const { body, headers } = await cloud.status(handed, handed.request.biz_opaque_callback_data, status);
    await sleep(Math.max(0, startedAt + (1000 * index) / perSecond - performance.now()));
    const sentAt = performance.now();
    await send({ method: "POST", url: webhook, body }, agent, headers);
    return performance.now() - sentAt;
  });
  const durations = await Promise.all(posts);
  agent.destroy();
  return durations.toSorted((a, b) => a - b);
}

async function measure(deployed: Deployed, cloud: CloudStandIn, url: string): Promise<string[][]> {
  const { webhook, counts } = await sendCampaign(deployed, cloud, url);
  const wait = async (holds: () => Promise<boolean>, what: string) => {
    if (!(await until(deployed, { holds, everyMs: 1000, withinMs: PATIENCE_MS }))) throw new Error(`Not ${what}.`);
  };
  await wait(async () => (await counts())["pending"] === 0, "sent");
  const rows: string[][] = [];
  for (const [index, [status, perSecond]] of RATES.entries()) {
    const isHighest = index === RATES.length - 1;
    const before = workerdCpuMs();
    await takeSpent(deployed);
    const durations = await report(cloud, webhook, status, perSecond);
    await wait(async () => (await counts())[status] === RECIPIENTS, `counted as ${status}`);
    const { sqlMs } = await takeSpent(deployed);
    const most = (1000 * durations.length) / sqlMs;
    const at = (share: number) => quantile(durations, share);
    rows.push([
      `${perSecond} a second`,
      String(durations.length),
      ...[at(0.5), at(0.99), at(1)].map((ms) => ms.toFixed(0)),
      ((workerdCpuMs() - before) / durations.length).toFixed(1),
      (sqlMs / durations.length).toFixed(2),
      most.toFixed(0),
      `p99 ≤ ${P99_MS} ms${isHighest ? `, ≥ ${POSTS_A_SECOND} a second` : ""}`,
      at(0.99) <= P99_MS && (!isHighest || most >= POSTS_A_SECOND) ? "ok" : OVER,
    ]);
  }
  return rows;
}

export async function measureStatuses(): Promise<Table> {
  const directory = mkdtempSync(join(tmpdir(), "tidings-bench-"));
  const cloud = new CloudStandIn();
  cloud.templates = [ORDER_UPDATE];
  const provider = providerServer(cloud);
  try {
    const url = await listen(provider);
    const deployed = await startDeployed(directory, { script: TIMED });
    try {
      const rows = await measure(deployed, cloud, url);
      const title = `A provider's webhook with one status per POST, for ${RECIPIENTS} recipients`;
      const columns = [
        "POSTs",
        "answered",
        "p50 ms",
        "p99 ms",
        "max ms",
        "CPU ms a POST, until it is counted",
        "database ms a POST",
        "POSTs a second of a database",
        "budget",
        "",
      ];
      return { title, columns, rows };
    } finally {
      await deployed.stop();
    }
  } finally {
    provider.close().closeAllConnections();
    rmSync(directory, { recursive: true, force: true });
  }
}
