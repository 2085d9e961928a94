import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createProviderCaller } from "../../../../src/features/messages/deliver/call-provider.ts";
import { stopClock } from "../../../support/clock.ts";
import { contextOf } from "../../../support/context.ts";
import { CloudStandIn } from "../../../support/providers/cloud.ts";
import { playProvider, UPSTREAM } from "../../../support/providers/linked.ts";
import { recordedWorld } from "../../../support/recording.ts";
import { faultyWorld, countingWorld, onShard } from "../../../support/storage.ts";
import { type Customer, phoneEnding, World } from "../../../support/world.ts";
import { soon } from "../../../support/soon.ts";

beforeEach(() => {
  stopClock();
  vi.spyOn(console, "error").mockReturnValue();
});

afterEach(() => {
  vi.restoreAllMocks();
});

const message = (number: number, to = phoneEnding("1234")) => ({
  id: `msg_${number}`,
  to,
  body: `${number}`,
  attempt: 1,
});
const messages = (count: number) => Array.from({ length: count }, (_, number) => message(number));
const sandboxOf = ({ connectionId }: Customer) => ({ id: connectionId, config: {} });

const ledgerOf = async (customer: Customer) =>
  (await onShard(customer, "SELECT body FROM sandbox_deliveries WHERE connection_id = ?", customer.connectionId)).map(
    ({ body }) => body,
  );

describe("Concurrent sandbox messages", () => {
  it("The sandbox stores concurrent messages in one round trip, and queues all statuses with the same delay in one batch", async () => {
    const { world, counted } = countingWorld();
    const customer = await world.customer();
    const sendBatch = vi.spyOn(world.env.STATUSES_QUEUE, "sendBatch");
    const callProvider = createProviderCaller(await contextOf(customer));
    const before = counted()["trips"] ?? 0;
    const outcomes = await Promise.all(messages(100).map((each) => callProvider("sandbox", sandboxOf(customer), each)));
    expect((counted()["trips"] ?? 0) - before).toBe(1);
    expect(outcomes.filter(({ kind }) => kind === "accepted")).toHaveLength(100);
    expect(new Set(await ledgerOf(customer)).size).toBe(100);
    expect(sendBatch).toHaveBeenCalledTimes(2);
    expect(world.queues.messages).toHaveLength(2);
    await world.settle();
    expect(world.queues.messages).toEqual([]);
  });

  it("The sandbox outbox lists each of several concurrent messages once", async () => {
    const customer = await new World().customer();
    const callProvider = createProviderCaller(await contextOf(customer));
    const send = () => callProvider("sandbox", sandboxOf(customer), message(1));
    await Promise.all([send(), send()]);
    await send();
    expect(await ledgerOf(customer)).toEqual(["1", "1", "1"]);
  });

  it("If the sandbox cannot store concurrent messages, they all have the outcome `lost`, and later messages are accepted", async () => {
    const { world, faults } = faultyWorld();
    const customer = await world.customer();
    const callProvider = createProviderCaller(await contextOf(customer));
    const send = () => Promise.all(messages(3).map((each) => callProvider("sandbox", sandboxOf(customer), each)));
    faults.next(/INSERT INTO sandbox_deliveries/);
    expect((await send()).map(({ kind }) => kind)).toEqual(["lost", "lost", "lost"]);
    expect([await ledgerOf(customer), world.queues.messages]).toEqual([[], []]);
    expect((await send()).map(({ kind }) => kind)).toEqual(["accepted", "accepted", "accepted"]);
    expect(await ledgerOf(customer)).toHaveLength(3);
  });

  it("The sandbox stores concurrent messages with long texts without exceeding the database's limit for parameters", async () => {
    const { world, recording } = recordedWorld();
    const customer = await world.customer();
    const callProvider = createProviderCaller(await contextOf(customer));
    const long = "\u0001".repeat(4096);
    recording.take();
    const sends = messages(100).map((each) => callProvider("sandbox", sandboxOf(customer), { ...each, body: long }));
    await Promise.all(sends);
    const ran = recording.take();
    expect(new Set(ran.map(({ trip }) => trip)).size).toBe(1);
    const bytes = ran.flatMap(({ values }) => values.map((value) => new TextEncoder().encode(String(value)).length));
    expect(Math.max(...bytes)).toBeLessThan(2_000_000);
    const ledger = await ledgerOf(customer);
    expect([ledger.length, new Set(ledger).size, ledger[0]]).toEqual([100, 1, long]);
  });
});

describe("Provider calls", () => {
  const cloudOf = (cloud: CloudStandIn) => ({ id: "conn_1", config: cloud.config(UPSTREAM) });

  it("A message is rejected if this version of Tidings does not know the connection's provider", async () => {
    const callProvider = createProviderCaller(await contextOf(await new World().customer()));
    expect(await callProvider("pigeons", { id: "conn_1", config: {} }, message(1))).toMatchObject({
      kind: "refused",
      error: { code: "provider_rejected" },
    });
  });

  it("A call to a provider has the outcome `lost` if the provider's response is lost", async () => {
    const cloud = new CloudStandIn();
    playProvider(cloud);
    cloud.loseNext();
    const callProvider = createProviderCaller(await contextOf(await new World().customer()));
    expect(await callProvider("whatsapp_cloud", cloudOf(cloud), message(1))).toMatchObject({ kind: "lost" });
    expect(cloud.handed).toHaveLength(1);
  });

  it.each(["http://user@provider.test", "no address"])(
    "A call to a forbidden provider address is rejected: %s",
    async (api_base) => {
      const fetching = vi.spyOn(globalThis, "fetch");
      const callProvider = createProviderCaller(await contextOf(await new World().customer()));
      const connection = { id: "conn_1", config: { ...cloudOf(new CloudStandIn()).config, api_base } };
      expect(await callProvider("whatsapp_cloud", connection, message(1))).toMatchObject({ kind: "refused" });
      expect(fetching).not.toHaveBeenCalled();
    },
  );

  it.each(["Too many subrequests by single Worker invocation.", "Too many API requests by single Worker invocation."])(
    "If the Worker has no subrequests left for a provider call, the call has the outcome `held`, not `lost`: %s",
    async (text) => {
      vi.spyOn(globalThis, "fetch").mockRejectedValue(new Error(text));
      const callProvider = createProviderCaller(await contextOf(await new World().customer()));
      expect(await callProvider("whatsapp_cloud", cloudOf(new CloudStandIn()), message(1))).toEqual({
        kind: "held",
        until: Date.now() + 5000,
      });
    },
  );

  it("After the time for a delivery run is over, no provider call begins, and the remaining messages are held", async () => {
    const cloud = new CloudStandIn();
    const play = playProvider(cloud).getMockImplementation();
    const world = new World();
    const closesAt = Date.now() + 1000;
    const callProvider = createProviderCaller(await contextOf(await world.customer()), () => Date.now() < closesAt);
    const answers: (() => void)[] = [];
    vi.mocked(globalThis.fetch).mockImplementation(async (...call) => {
      await new Promise<void>((resolve) => answers.push(resolve));
      return (await play?.(...call)) ?? Response.error();
    });
    const sending = messages(9).map((each) => callProvider("whatsapp_cloud", cloudOf(cloud), each));
    await soon(() => expect(answers).toHaveLength(6));
    world.advance(1001);
    answers.forEach((answer) => answer());
    const outcomes = await Promise.all(sending);
    expect(outcomes.map(({ kind }) => kind)).toEqual([
      ...Array<string>(6).fill("accepted"),
      ...Array<string>(3).fill("held"),
    ]);
    expect(outcomes.at(-1)).toEqual({ kind: "held", until: Date.now() });
    expect(cloud.handed).toHaveLength(6);
  });
});
