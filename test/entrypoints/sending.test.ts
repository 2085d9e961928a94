import { beforeEach, expect, test, vi } from "vitest";
import { sandbox } from "../../src/channels/sandbox/sandbox.ts";
import { addPeople, campaign, recipientsOf, started } from "../support/campaigns.ts";
import { sendBatch, textsTo } from "../support/message-batches.ts";
import { DrivenPump } from "../support/pumps.ts";
import { hookUp, objectIdsOf, startReceiving, tellOf } from "../support/receiver.ts";
import { phoneEnding, World } from "../support/world.ts";

const MINUTE_MS = 60_000;

let world: World;

const turn = (value: string) => Object.assign(world.env, { SENDING: value });

beforeEach(() => vi.restoreAllMocks());

test("Messages, campaigns, receipts and webhooks wait while SENDING is off, and each is sent exactly once when SENDING is on again", async () => {
  const { customer, receiver, ...receiving } = await startReceiving();
  ({ world } = receiving);
  const read = vi.spyOn(sandbox, "markRead");
  await hookUp(customer, receiver);
  await customer.receive(phoneEnding("1234"), "Hi");
  await addPeople(customer, 25);
  await world.settle();
  const before = receiver.received.length;
  turn("off");

  const single = (await customer.send(phoneEnding("1234"))).body.message_id;
  const batch = await sendBatch(customer, textsTo(3));
  expect(batch.status).toBe(200);
  const send_at = new Date(Date.now() + MINUTE_MS).toISOString();
  await customer.call("POST", "/messages", { to: phoneEnding("1234"), text: "Later", send_at });
  const id = await started(customer, { body: "Hello" });
  await tellOf(customer, ["ct_1", "ct_2"]);
  const [conversation] = (await customer.call("GET", "/conversations")).body.conversations;
  await customer.call("POST", `/conversations/${conversation.id}/read`);
  for (let minute = 0; minute < 3; minute++) {
    await world.settle({ withinMs: MINUTE_MS });
    world.advance(MINUTE_MS);
    await world.cron();
  }
  expect(await customer.outbox("?limit=100")).toEqual([]);
  expect(receiver.received).toHaveLength(before);
  expect(read).not.toHaveBeenCalled();
  expect(await customer.message(single)).toMatchObject({ delivery: "queued", error: null });
  expect(await campaign(customer, id)).toMatchObject({ status: "running", counts: { pending: 31 } });

  turn("on");
  await world.cron();
  await world.settle();
  await world.cron();
  await world.settle({ copies: 2 });
  const to = (await customer.outbox("?limit=100")).map((delivery) => delivery.to);
  expect(to).toHaveLength(5 + 31);
  expect((await customer.message(single)).delivery).toBe("read");
  expect(await recipientsOf(customer, id, "pending")).toEqual([]);
  expect(objectIdsOf(receiver.events.slice(before)).filter((each) => /^ct_\d$/.test(each))).toEqual(["ct_1", "ct_2"]);
});

test("A connection's pump grants no leases while SENDING is off, checks again each minute, and reports no grant as lost", async () => {
  const { customer, ...receiving } = await startReceiving();
  ({ world } = receiving);
  const logged = vi.spyOn(console, "error").mockReturnValue();
  turn("off");
  await addPeople(customer, 5);
  await started(customer);
  await world.queues.deliverDue(world.env);
  const pump = new DrivenPump(world, customer.connectionId);
  await pump.runAlarm();
  const rang = Date.now();
  for (let minute = 1; minute <= 3; minute++) {
    await pump.runUntil(rang + minute * MINUTE_MS - 1);
    expect(await pump.dueAt()).toBe(rang + minute * MINUTE_MS);
    await pump.runAlarm();
  }
  expect(pump.takeGrants()).toEqual([]);
  turn("on");
  await pump.runUntil(Date.now() + MINUTE_MS);
  expect(pump.takeGrants().length).toBeGreaterThan(0);
  expect(logged.mock.calls.flat().join()).not.toContain("grants_not_reported");
});

test("The health check and the console show that sending is stopped; an unknown value of SENDING also stops it and is logged", async () => {
  world = new World();
  const member = await (await world.customer()).member("owner");
  const stopped = "The operator has stopped sending.";
  const logged = vi.spyOn(console, "error").mockReturnValue();
  for (const [value, sending] of [
    ["on", "on"],
    ["off", "off"],
    ["yes", "off"],
  ] as const) {
    turn(value);
    expect((await world.request("GET", "/health")).body.sending).toBe(sending);
    expect((await member.get("/console")).body.includes(stopped)).toBe(sending === "off");
    expect((await new World({ SENDING: value }).request("GET", "/console/sign-in")).body.includes(stopped)).toBe(
      sending === "off",
    );
  }
  expect(logged.mock.calls.flat().filter((line) => String(line).includes("sending_misconfigured"))).toHaveLength(1);
});
