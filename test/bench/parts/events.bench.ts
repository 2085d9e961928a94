import { beforeEach, it, vi } from "vitest";
import { stopClock } from "../../support/clock.ts";
import { type Cost, meteredWorld } from "../../support/metered-world.ts";
import { hookUp, Receiver, tellOf } from "../../support/receiver.ts";
import type { Customer } from "../../support/world.ts";
import { costOfLife, MAX_WRITTEN } from "./recipient-life.ts";
import { Table } from "./report.ts";

const MINUTE_MS = 60_000;
const PEOPLE = 2000;
/** Rows for a message, from the send until it is read. */
const MAX_WRITTEN_A_MESSAGE = 17;
const MESSAGE_TO = "+14152000010";
/** Each minute, the cron reads two rows to find webhooks: the webhook, and the newest event of the log. */
const READ_A_MINUTE = 2;
/** For this many minutes after an event, the cron wakes the endpoint. Each time, the endpoint reads the log. */
const MINUTES_AWAKE = 10;
/** Statements when an endpoint reads the log: the webhook, the end of the log, and the new events. */
const STATEMENTS_A_LOOK = 3;
const READ_A_LOOK = 30;

beforeEach(() => {
  vi.restoreAllMocks();
  stopClock();
});

interface HourCost extends Cost {
  alarms: number;
}

/** Measures an hour without requests, minute by minute. */
async function costOfHour(
  { world, costOf }: ReturnType<typeof meteredWorld>,
  eachMinute: () => Promise<unknown>,
): Promise<HourCost> {
  const before = world.alarms.rung;
  const cost = await costOf(async () => {
    for (let minute = 0; minute < 60; minute++) {
      world.advance(MINUTE_MS);
      await eachMinute();
      await world.cron();
      await world.settle({ withinMs: 0 });
    }
  });
  return { ...cost, alarms: world.alarms.rung - before };
}

const nothing = async () => undefined;
const DAY_MS = 86_400_000;

/**
 * Measures two hours long after the last event, two hours directly after an event, and two hours with an unwanted event
 * each minute.
 */
async function costsOfIdling(metered: ReturnType<typeof meteredWorld>, customer: Customer): Promise<HourCost[]> {
  const { world } = metered;
  const tell = () => tellOf(customer, ["ct_1"]);
  const rest = async () => {
    await world.settle();
    world.advance(DAY_MS);
    await world.cron();
    await world.settle();
  };
  await rest();
  const quiet = await costOfHour(metered, nothing);
  await tell();
  const after = await costOfHour(metered, nothing);
  const busy = await costOfHour(metered, tell);
  return [quiet, after, busy];
}

it("The cost of an idle endpoint stays within the budget", { timeout: 600_000 }, async () => {
  const metered = meteredWorld();
  const customer = await metered.world.customer();
  const without = await costsOfIdling(metered, customer);
  const { id } = await hookUp(customer, new Receiver(), { types: ["message.*"] });
  const withOne = await costsOfIdling(metered, customer);
  await customer.call("DELETE", `/webhooks/${id}`);
  const table = new Table(
    "An active endpoint in an hour in which it is sent nothing: what comes to an hour without it",
    ["hour", "calls of objects", "alarms", "statements", "rows read", "rows written"],
  );
  const most = [
    { hour: "no events", calls: 0, looks: 0 },
    { hour: "one event, then none", calls: MINUTES_AWAKE, looks: MINUTES_AWAKE },
    // Both the event and the cron wake the endpoint.
    { hour: "an event of another type each minute", calls: 120, looks: 60 },
  ];
  for (const [index, { hour, calls, looks }] of most.entries()) {
    const [one, none] = [withOne[index], without[index]];
    if (one === undefined || none === undefined) continue;
    const more = (name: keyof HourCost) => one[name] - none[name];
    const [statements, read] = [looks * STATEMENTS_A_LOOK, 60 * READ_A_MINUTE + looks * READ_A_LOOK];
    table.add(
      [hour, more("objects"), more("alarms"), more("statements"), more("read"), more("written")],
      `≤ ${calls} calls, ${looks} alarms, ${statements} statements, ${read} read, 0 written`,
      more("objects") <= calls &&
        more("alarms") <= looks &&
        more("statements") <= statements &&
        more("read") <= read &&
        more("written") === 0,
    );
  }
  await table.show();
});

it(
  "The cost of a recipient and of a message with events stays within the budget, with and without an endpoint",
  { timeout: 1_200_000 },
  async () => {
    const table = new Table("Rows written with events on, from acceptance until it is read", [
      "what",
      "endpoint",
      "rows written",
      "rows read",
      "calls of objects and alarms",
      "attempts",
    ]);
    for (const provider of ["echoes our id", "knows its own id only"] as const) {
      for (const isHeard of [false, true]) {
        const receiver = new Receiver();
        const life = { provider, people: PEOPLE, perSecond: 1000, together: 100 };
        const { written, read, objects } = await costOfLife(life, async (customer) => {
          if (isHeard) await hookUp(customer, receiver, { types: ["message.*"] });
        });
        const attempts = receiver.received.length / PEOPLE;
        table.add(
          [
            `recipient, provider ${provider}`,
            isHeard ? "yes" : "no",
            ...[written, read, objects, attempts].map((n) => n.toFixed(2)),
          ],
          `≤ ${MAX_WRITTEN[provider]} written`,
          written <= MAX_WRITTEN[provider],
        );
      }
    }
    for (const isHeard of [false, true]) {
      stopClock();
      const { world, costOf } = meteredWorld();
      const customer = await world.customer();
      const receiver = new Receiver();
      await customer.send(MESSAGE_TO);
      await world.settle();
      if (isHeard) await hookUp(customer, receiver, { types: ["message.*"] });
      const rung = world.alarms.rung;
      const { written, read, objects } = await costOf(async () => {
        await customer.send(MESSAGE_TO, "Hello", { headers: { "Idempotency-Key": "order-1042" } });
        await world.settle();
      });
      table.add(
        [
          "message, with idempotency",
          isHeard ? "yes" : "no",
          written,
          read,
          objects + world.alarms.rung - rung,
          receiver.received.length,
        ],
        `≤ ${MAX_WRITTEN_A_MESSAGE} written`,
        written <= MAX_WRITTEN_A_MESSAGE,
      );
    }
    await table.show();
  },
);
