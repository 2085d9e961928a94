// Calculates the list prices of a million messages, an idle deployment and a busy key.
import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env as bindings } from "cloudflare:workers";
import { beforeEach, expect, it, vi } from "vitest";
import { ReadShares } from "../../../src/features/scans/scans.heavy-use.ts";
import { addPeople, campaign, started } from "../../support/campaigns.ts";
import { stopClock } from "../../support/clock.ts";
import { report } from "../../support/providers/linked.ts";
import { findExternalTemplate } from "../../support/templates.ts";
import { priceOfMillion, type Usage } from "../prices.ts";
import { billedWorld, cellsOf, COLUMNS } from "./billed-world.ts";
import { NO_FLUSH_BY_TIMER, ReportingNetwork } from "./reporting-network.ts";
import { Table } from "./report.ts";

const DAY_MINUTES = 1440;
const MONTH_DAYS = 30;
const MINUTE_MS = 60_000;
const SECOND_MS = 1000;
const MAX_CAMPAIGN_PRICE = 7;
/** The pump and the inbox. */
const CAMPAIGN_OBJECTS = 2;
const MESSAGES = 100;
const BUSY_PER_SECOND = 10;
const BUSY_SECONDS = 60;

/** WhatsApp's usual rate. The part "campaigns" measures other rates. */
const PER_SECOND = 80;
const PEOPLE = 5000;

beforeEach(() => {
  stopClock();
  // The clock stands still, so shares do not recover, and later reads would take turns, which are two calls more.
  vi.spyOn(ReadShares.prototype, "note").mockReturnValue();
});

type Add = (name: string, usage: Usage, maxPrice?: number) => void;

async function billCampaign(add: Add, statusesAPost: number): Promise<void> {
  const network = new ReportingNetwork(statusesAPost, PER_SECOND);
  const { customer, usageOf } = await billedWorld((world) => network.customer(world), {
    activeObjects: CAMPAIGN_OBJECTS,
    vars: NO_FLUSH_BY_TIMER,
  });
  await addPeople(customer, PEOPLE);
  const template_id = await findExternalTemplate(customer, "order");
  let id = "";
  const usage = await usageOf(PEOPLE, async () => {
    id = await started(customer, { template_id, channel: "official", variables: ["1042"] });
    return 1 + (await network.play(customer));
  });
  expect((await campaign(customer, id)).counts).toMatchObject({ read: PEOPLE });
  const maxPrice = statusesAPost <= 10 ? MAX_CAMPAIGN_PRICE : Infinity;
  add(`campaign at ${PER_SECOND}/s, ${statusesAPost} statuses a POST`, usage, maxPrice);
}

async function billMessages(add: Add): Promise<void> {
  const network = new ReportingNetwork(1, PER_SECOND);
  const { customer, usageOf } = await billedWorld((world) => network.customer(world), { vars: NO_FLUSH_BY_TIMER });
  const to = "+14152000010";
  await report(customer, network.inbound(to));
  const sendAndPlay = async (number: number) => {
    await customer.send(to, `Hello ${number}`, { headers: { "Idempotency-Key": `order-${number}` } });
    return 1 + (await network.play(customer));
  };
  await sendAndPlay(0);
  const usage = await usageOf(MESSAGES, async () => {
    let requests = 0;
    for (let number = 1; number <= MESSAGES; number++) requests += await sendAndPlay(number);
    return requests;
  });
  add("POST /messages, 1 status a POST", usage);
}

it("The price of a million messages is calculated", { timeout: 1_800_000 }, async () => {
  const table = new Table(
    "A message from acceptance until it is read, all list prices in; CPU is that of the whole local runtime, database and test included",
    ["message", ...COLUMNS, "$ a million"],
  );
  const add: Add = (name, usage, maxPrice = Infinity) => {
    const price = priceOfMillion(usage);
    const budget = maxPrice === Infinity ? "" : `≤ $${maxPrice}`;
    table.add([name, ...cellsOf(usage), price.toFixed(2)], budget, budget === "" ? null : price <= maxPrice);
  };
  for (const statusesAPost of [1, 10, 100]) await billCampaign(add, statusesAPost);
  await billMessages(add);
  await table.show();
});

it("The monthly price of an idle deployment and of a busy key is calculated", { timeout: 1_800_000 }, async () => {
  const table = new Table(
    "A month of 30 days, all list prices in; the Workers Paid plan costs $5 and includes more than the first two rows use",
    ["deployment", ...COLUMNS, "$ a month"],
  );
  const add = (name: string, usage: Usage, times: number) => {
    const month = Object.fromEntries(Object.entries(usage).map(([what, amount]) => [what, amount * times]));
    table.add([name, ...cellsOf({ ...usage, ...month }), (priceOfMillion(month) / 1e6).toFixed(2)], "", null);
  };
  const idle = await billedWorld();
  const restOfDay = async () => {
    for (let minute = 0; minute < DAY_MINUTES; minute++) {
      idle.world.advance(MINUTE_MS);
      await idle.world.cron();
      await idle.world.settle({ withinMs: 0 });
    }
    return DAY_MINUTES;
  };
  const day = await idle.usageOf(1, restOfDay);
  add("idle: one workspace, one connection, the cron", day, MONTH_DAYS);

  const busyKey = { key: { rate_limit: { requests: 10_000, window_seconds: 20 } } };
  const { world, customer, usageOf } = await billedWorld((made) => made.customer(busyKey));
  await addPeople(customer, 40);
  const objects = () => [
    bindings.KEY_LIMITER.getByName(customer.keyId),
    bindings.REQUEST_LOG.getByName(customer.workspaceId),
  ];
  let alarms = 0;
  const ringDue = async () => {
    for (const stub of objects()) {
      const at = await runInDurableObject(stub, (object, { storage }) => {
        Reflect.set(object, "env", world.env);
        return storage.getAlarm();
      });
      if (at === null || at > Date.now()) continue;
      alarms++;
      await runDurableObjectAlarm(stub);
    }
  };
  await customer.call("GET", "/contacts?limit=20");
  for (const path of ["/me", "/contacts?limit=20"]) {
    alarms = 0;
    const usage = await usageOf(1, async () => {
      for (let second = 0; second < BUSY_SECONDS; second++) {
        for (let call = 0; call < BUSY_PER_SECOND; call++) expect((await customer.call("GET", path)).status).toBe(200);
        world.advance(SECOND_MS);
        await ringDue();
      }
      return BUSY_SECONDS * BUSY_PER_SECOND;
    });
    // The request log receives one report a second, which is not the cost of a single request.
    const all = { ...usage, objectCalls: usage.objectCalls + alarms + BUSY_SECONDS };
    add(
      `a key with ${BUSY_PER_SECOND} calls a second all month: GET ${path}`,
      all,
      (MONTH_DAYS * 86_400) / BUSY_SECONDS,
    );
  }
  await table.show();
});
