import { it } from "vitest";
import { stopClock } from "../../support/clock.ts";
import type { HeldMessage } from "../../support/queues.ts";
import { costOf as costOfAnswer } from "../../support/storage.ts";
import type { Customer } from "../../support/world.ts";
import { meteredWorld } from "../../support/metered-world.ts";
import { Table } from "./report.ts";

/** Rows written. Four batches change the message, and each adds one row of events. */
const MAX_WRITTEN = 17;
/** One statement for events, one for campaign counts, one for messages. */
const MAX_STATEMENTS = 3;
const numberOf = (index: number) => `+1415${2_000_008 + index * 10}`;

it("The cost of a message from send to read stays within the budget", async () => {
  stopClock();
  const { world, costOf } = meteredWorld();
  const customer = await world.customer();
  const table = new Table("A message: accepted, claimed, sent, delivered, read", [
    "message",
    "trips before the answer",
    "trips in all",
    "statements",
    "read",
    "written",
    "ledger",
    "queue",
  ]);
  const measure = async (name: string, send: () => ReturnType<Customer["send"]>, maxWritten: number | null) => {
    let before = 0;
    const cost = await costOf(async () => {
      before = costOfAnswer(await send())["trips"] ?? 0;
      await world.settle();
    });
    const { trips, statements, read, written, ledger, queue } = cost;
    table.add(
      [name, before, trips, statements, read, written, ledger, queue],
      `≤ 2 trips before${maxWritten === null ? "" : `, ≤ ${maxWritten} written`}`,
      before <= 2 && written <= (maxWritten ?? Infinity),
    );
  };
  const once = { headers: { "Idempotency-Key": "order-1042" } };

  await customer.send(numberOf(1));
  await world.settle();
  await measure("known contact, with idempotency", () => customer.send(numberOf(1), "Hello", once), MAX_WRITTEN);
  await measure("the same request again, replayed", () => customer.send(numberOf(1), "Hello", once), 0);
  await measure("known contact, without", () => customer.send(numberOf(1)), MAX_WRITTEN);
  await measure("new contact, without", () => customer.send(numberOf(2)), null);
  await table.show();
});

it("The cost of a hundred statuses stays within the budget", async () => {
  stopClock();
  const { world, costOf } = meteredWorld();
  const customer = await world.customer();
  const table = new Table("100 status updates of one shard", ["delivery", "statements", "read", "written"]);
  await customer.manage("PATCH", `/connections/${customer.connectionId}`, { messages_per_second: 1000 });
  for (let index = 0; index < 100; index++) await customer.send(numberOf(index));

  const deliver = async (events: HeldMessage[]) => {
    world.queues.messages.splice(0, Infinity, ...events);
    await world.queues.deliverDue(world.env);
  };
  const isDelivered = ({ body }: HeldMessage) => JSON.stringify(body).includes('"status":"delivered"');
  const events = world.queues.messages.filter(isDelivered);
  if (events.length !== 100) throw new Error(`There are ${events.length} events.`);
  world.advance(10_000);
  const first = await costOf(() => deliver(events));
  const again = await costOf(() => deliver(events));
  table.add(
    ["first", first.statements, first.read, first.written],
    "≤ 3 statements",
    first.statements <= MAX_STATEMENTS,
  );
  table.add(
    ["again", again.statements, again.read, again.written],
    "≤ 3 statements, 0 written",
    again.statements <= MAX_STATEMENTS && again.written === 0,
  );
  await table.show();
});
