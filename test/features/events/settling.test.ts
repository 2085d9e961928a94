import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { SendOutcome } from "../../../src/channels/channel.ts";
import { sandbox } from "../../../src/channels/sandbox/sandbox.ts";
import { stopClock } from "../../support/clock.ts";
import { chunksOf } from "../../support/read-log.ts";
import { lockableCustomer } from "../../support/locked.ts";
import { carried, deliver, ownMessageTo, statusOf } from "../../support/provider-events.ts";
import { changesOf, expectLogToTell } from "../../support/rebuild.ts";
import { onShard, steps } from "../../support/storage.ts";
import { type Customer, phoneEnding, World } from "../../support/world.ts";

beforeEach(stopClock);

afterEach(() => {
  vi.restoreAllMocks();
});

/** For a number with this ending, the sandbox reports only that it accepted the message. */
const SILENT = "0004";

const error = { code: "undeliverable", message: "No.", providerCode: "1" } as const;

/** Returns the events of a message after its queued event: type, changes and actor. */
const storyOf = async (customer: Customer, id: string) =>
  (await changesOf(customer))
    .filter((event) => event.id === id && event.type !== "message.queued")
    .map(({ type, changes, actor: [actor, actorId] }) => [type, changes?.["delivery"], actorId ?? actor]);

describe("Logs of messages", () => {
  it("Each step of a message is logged once, with the system or the provider as actor, even if every queue message arrives twice", async () => {
    const customer = await new World().customer();
    const id = (await customer.send(phoneEnding("1234"))).body.message_id;
    await customer.world.settle({ copies: 2 });
    expect(await storyOf(customer, id)).toEqual([
      ["message.sent", ["queued", "sent"], "system"],
      ["message.delivered", ["sent", "delivered"], customer.connectionId],
      ["message.read", ["delivered", "read"], customer.connectionId],
    ]);
    await expectLogToTell(customer);
  });

  it.each<[string, SendOutcome, unknown[]]>([
    ["refused", { kind: "refused", error }, [["message.failed", ["queued", "failed"], "system"]]],
    ["lost", { kind: "lost", error }, [["message.unknown", ["queued", "unknown"], "system"]]],
    ["refused for now", { kind: "retry", error }, [["message.failed", ["queued", "failed"], "system"]]],
  ])("The result of a message that was %s is logged once, without earlier attempts", async (_, outcome, story) => {
    const customer = await new World().customer();
    vi.spyOn(sandbox, "send").mockResolvedValue(outcome);
    const id = (await customer.send(phoneEnding(SILENT))).body.message_id;
    await customer.world.settle({ copies: 2 });
    expect(await storyOf(customer, id)).toEqual(story);
    await expectLogToTell(customer);
  });

  it.each(["before", "after"] as const)(
    "The result of a message is logged once if storage fails %s the commit of its settlement",
    async (when) => {
      const { customer, faults } = await lockableCustomer();
      faults.next(steps.settle, when);
      const id = (await customer.send(phoneEnding(SILENT))).body.message_id;
      await customer.world.settle();
      expect(faults.spent).toBe(true);
      expect(await storyOf(customer, id)).toEqual([["message.sent", ["queued", "sent"], "system"]]);
    },
  );

  it("The result of a message is logged once if the events queue settles it twice", async () => {
    const { customer, faults, world } = await lockableCustomer();
    faults.lock(steps.settle);
    const id = (await customer.send(phoneEnding(SILENT))).body.message_id;
    faults.unlock();
    expect(await storyOf(customer, id)).toEqual([]);
    await world.settle({ copies: 2 });
    expect(await storyOf(customer, id)).toEqual([["message.sent", ["queued", "sent"], "system"]]);
  });

  it("The log shows that a message became `unknown` when its claim expired, and then the result that a later status reports", async () => {
    const { customer, faults, world } = await lockableCustomer();
    faults.lock(steps.settle);
    const id = (await customer.send(phoneEnding(SILENT))).body.message_id;
    world.queues.messages.length = 0;
    faults.unlock();
    world.advance(121_000);
    await world.cron();
    await world.cron();
    await deliver(customer, [statusOf(id, null, "delivered")], 2);
    expect(await storyOf(customer, id)).toEqual([
      ["message.unknown", ["queued", "unknown"], "system"],
      ["message.sent", ["unknown", "sent"], customer.connectionId],
      ["message.delivered", ["sent", "delivered"], customer.connectionId],
    ]);
    await expectLogToTell(customer);
  });
});

describe("Logs of statuses", () => {
  it("The log contains each state of a message up to the latest reported state, but no state that is reported late", async () => {
    const customer = await new World().customer();
    const id = (await customer.send(phoneEnding(SILENT))).body.message_id;
    await deliver(
      customer,
      ["delivered", "read", "sent"].map((status) => statusOf(id, null, status)),
      2,
    );
    await deliver(customer, [statusOf(id, null, "delivered")]);
    expect(await storyOf(customer, id)).toEqual([
      ["message.sent", ["queued", "sent"], "system"],
      ["message.delivered", ["sent", "delivered"], customer.connectionId],
      ["message.read", ["delivered", "read"], customer.connectionId],
    ]);
  });

  it("A message's state is logged once if one delivery reports it both with our id and with the provider's id", async () => {
    const customer = await new World().customer();
    vi.spyOn(sandbox, "send").mockResolvedValue({ kind: "accepted", providerMessageId: "p-1", providerKey: "p-1" });
    const id = (await customer.send(phoneEnding(SILENT))).body.message_id;
    const byKey = { messageId: null, providerMessageId: "p-1", providerKey: "p-1" };
    await deliver(
      customer,
      [statusOf(id, null, "read", byKey), { ...statusOf(id, null), providerMessageId: "p-1" }],
      2,
    );
    expect((await storyOf(customer, id)).slice(1)).toEqual([
      ["message.delivered", ["sent", "delivered"], customer.connectionId],
      ["message.read", ["delivered", "read"], customer.connectionId],
    ]);
    await expectLogToTell(customer);
  });

  it("A queue delivery with statuses of several workspaces writes one log row per workspace", async () => {
    const world = new World();
    const customers = [await world.customer(), await world.customer(), await world.customer()];
    const sent = [];
    for (const customer of customers) {
      for (const phone of [phoneEnding(SILENT), phoneEnding(SILENT)])
        sent.push({ customer, id: (await customer.send(phone)).body.message_id });
    }
    const before = await Promise.all(customers.map(async (customer) => (await chunksOf(customer)).length));
    const bodies = await Promise.all(sent.map(({ customer, id }) => carried(customer, statusOf(id, null))));
    await world.env.EVENTS_QUEUE.sendBatch(bodies.map((body) => ({ body })));
    await world.queues.deliverDue(world.env, 2);
    for (const [index, customer] of customers.entries()) {
      const rows = (await chunksOf(customer)).slice(before[index]);
      expect(rows).toMatchObject([{ actor_type: "provider", actor_id: customer.connectionId, count: 2 }]);
      const own = new Set(sent.filter((each) => each.customer === customer).map(({ id }) => id));
      expect(new Set(rows[0]?.body.map(([, id]) => id))).toEqual(own);
      await expectLogToTell(customer);
    }
  });

  it("A status that arrives before its message is settled is logged after the settlement, with the provider as actor", async () => {
    const customer = await new World().customer();
    vi.spyOn(sandbox, "send").mockImplementation(async () => {
      await deliver(customer, [
        statusOf("", null, "delivered", { messageId: null, providerMessageId: "p-9", providerKey: "p-9" }),
      ]);
      return { kind: "accepted", providerMessageId: "p-9", providerKey: "p-9" };
    });
    const id = (await customer.send(phoneEnding(SILENT))).body.message_id;
    await customer.world.settle();
    expect(await storyOf(customer, id)).toEqual([
      ["message.sent", ["queued", "sent"], "system"],
      ["message.delivered", ["sent", "delivered"], customer.connectionId],
    ]);
    await expectLogToTell(customer);
  });
});

describe("Logs of messages from the workspace's phone", () => {
  it("A message from the workspace's phone is logged once, with the contact and conversation that it creates", async () => {
    const customer = await new World().customer();
    const phone = phoneEnding(SILENT);
    await deliver(customer, [ownMessageTo({ phone }, "Hello")], 2);
    const events = await changesOf(customer);
    expect(events.map(({ type }) => type)).toEqual(["contact.created", "conversation.opened", "message.sent"]);
    expect(events[2]?.changes).toEqual({ delivery: [null, "sent"] });
    expect(new Set(events.map(({ actor }) => String(actor)))).toEqual(new Set([`provider,${customer.connectionId}`]));
    await deliver(customer, [ownMessageTo({ phone }, "Hello again")]);
    expect((await changesOf(customer)).slice(3).map(({ type }) => type)).toEqual(["message.sent"]);
    await expectLogToTell(customer);
  });

  it("The echo of our message is logged as `message.sent`, even if no other result arrives", async () => {
    const customer = await new World().customer();
    vi.spyOn(sandbox, "send").mockResolvedValue({ kind: "lost", error });
    const phone = phoneEnding(SILENT);
    const id = (await customer.send(phone, "Hello")).body.message_id;
    await deliver(customer, [{ ...ownMessageTo({ phone, name: "Ada" }, "Hello"), viaApi: null }], 2);
    expect(await storyOf(customer, id)).toEqual([
      ["message.unknown", ["queued", "unknown"], "system"],
      ["message.sent", ["unknown", "sent"], customer.connectionId],
    ]);
    expect((await changesOf(customer)).filter(({ type }) => type.startsWith("contact."))).toHaveLength(1);
    await expectLogToTell(customer);
  });

  it("If our message's echo was logged as a second message, the log shows its removal after we recognize our message", async () => {
    const customer = await new World().customer();
    const phone = phoneEnding(SILENT);
    const echo = { ...ownMessageTo({ phone }, "Hello, changed on its way"), viaApi: null };
    vi.spyOn(sandbox, "send").mockImplementation(async () => {
      await deliver(customer, [echo], 2);
      return { kind: "accepted", providerMessageId: echo.providerMessageId, providerKey: echo.providerKey };
    });
    const id = (await customer.send(phone, "Hello")).body.message_id;
    await customer.world.settle({ copies: 2 });
    const [row] = await onShard(
      customer,
      "SELECT count(*) AS n FROM messages WHERE connection_id = ?",
      customer.connectionId,
    );
    expect(row).toEqual({ n: 1 });
    expect(await storyOf(customer, id)).toEqual([["message.sent", ["queued", "sent"], "system"]]);
    const others = (await changesOf(customer)).filter((event) => event.type.startsWith("message.") && event.id !== id);
    expect(others.map(({ type, changes }) => [type, changes?.["delivery"]])).toEqual([
      ["message.sent", [null, "sent"]],
      ["message.revoked", ["sent", null]],
    ]);
    await expectLogToTell(customer);
  });
});
