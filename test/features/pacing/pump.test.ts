import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createBaseCtx } from "../../../src/entrypoints/base-context.ts";
import type { Grant, GrantReport } from "../../../src/features/pacing/pacing.schemas.ts";
import { reportGrant, registerCampaign, takeSlot } from "../../../src/features/pacing/pacing.service.ts";
import { stopClock } from "../../support/clock.ts";
import { pacersAfter } from "../../support/bindings.ts";
import { DrivenPump } from "../../support/pumps.ts";
import { override } from "../../support/override.ts";
import { World } from "../../support/world.ts";

beforeEach(stopClock);

afterEach(() => {
  vi.restoreAllMocks();
});

const workspace = { id: "ws_pump", number: 7, shard: 1 };
let connections = 0;

/** A connection with a rate of 80 per second, its pump, and the calls of campaigns. */
function connect(overrides: Partial<Env> = {}) {
  const world = new World(overrides);
  const pump = new DrivenPump(world, `conn_pump_${connections++}`);
  const { connectionId } = pump;
  const ctx = createBaseCtx(world.env, {
    requestId: "test",
    actor: { type: "system" },
    waitUntil: () => undefined,
  });
  return {
    world,
    pump,
    run: (campaignId: string, messagesPerSecond = 80) =>
      registerCampaign(ctx, { workspace, campaignId, connectionId, messagesPerSecond }),
    report: ({ campaignId, grantId }: Grant, next: GrantReport["next"]) =>
      reportGrant(ctx, connectionId, { campaignId, grantId, messagesPerSecond: 80, next }),
    single: () =>
      takeSlot(ctx, connectionId, {
        provider: "sandbox",
        address: "+14155550101",
        messagesPerSecond: 80,
        isReturning: false,
      }),
  };
}

/** Runs one tick and returns its only grant. */
async function nextGrant(pump: DrivenPump): Promise<Grant> {
  for (;;) {
    expect(await pump.runAlarm()).toBe(true);
    const [grant, ...others] = pump.takeGrants();
    expect(others).toEqual([]);
    if (grant !== undefined) return grant;
  }
}

const slotsOf = (grants: Grant[]) => grants.reduce((sum, { size }) => sum + size, 0);

/** Records the calls of the object's storage. */
async function watchStorage(pump: DrivenPump): Promise<string[]> {
  const calls: string[] = [];
  await runInDurableObject(pump.stub, (_, { storage }) => {
    for (const name of ["put", "delete", "setAlarm"] as const) {
      const call = storage[name];
      Reflect.set(storage, name, (...args: unknown[]) => {
        calls.push(name === "setAlarm" ? name : `${name} ${String(args[0])}`);
        return Reflect.apply(call, storage, args);
      });
    }
  });
  return calls;
}

describe("Pump of a connection", () => {
  it("A connection's pump queues leases at 96 % of the connection's rate while a campaign has work", async () => {
    const { pump, run, world } = connect();
    const start = Date.now();
    await run("cmp_1");
    await pump.runUntil(start + 10_399);
    const grants = pump.takeGrants();
    expect(slotsOf(grants)).toBe(800);
    expect(grants[0]).toEqual({
      v: 1,
      workspace,
      campaignId: "cmp_1",
      connectionId: pump.connectionId,
      grantId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      size: 40,
      at: start + 1,
    });
    expect(new Set(grants.map(({ grantId }) => grantId)).size).toBe(20);
    expect(world.queues.messages).toEqual([]);
  });

  it("A connection's pump stops without an alarm when nothing is left, and the next call starts it", async () => {
    const { pump, run, report } = connect();
    await run("cmp_1");
    await report(await nextGrant(pump), "more");
    await report(await nextGrant(pump), "nothing");
    while (await pump.runAlarm());
    expect(pump.takeGrants()).toEqual([]);
    expect(await pump.dueAt()).toBeNull();
    await run("cmp_1");
    expect((await nextGrant(pump)).campaignId).toBe("cmp_1");
  });

  it("A connection's pump wakes up at the time until which a campaign is parked, even after eviction", async () => {
    const { pump, run, report } = connect();
    const start = Date.now();
    await run("cmp_1");
    await report(await nextGrant(pump), start + 30_000);
    await pump.runAlarm();
    expect(await pump.dueAt()).toBe(start + 30_000);
    await evictDurableObject(pump.stub);
    expect((await nextGrant(pump)).at).toBe(start + 30_000);
  });

  it("After eviction, a connection's pump continues with exactly the campaigns that still have work", async () => {
    const { pump, run, report } = connect();
    for (const campaignId of ["cmp_1", "cmp_2", "cmp_3"]) await run(campaignId);
    await report(await nextGrant(pump), "nothing");
    const start = Date.now();
    await pump.runUntil(start + 500);
    await evictDurableObject(pump.stub);
    pump.takeGrants();
    await pump.runUntil(start + 5000);
    const grants = pump.takeGrants();
    expect(new Set(grants.map(({ campaignId }) => campaignId))).toEqual(new Set(["cmp_2", "cmp_3"]));
    expect(slotsOf(grants)).toBeGreaterThanOrEqual(240);
  });

  it("A connection's pump counts direct messages and campaigns together, so that they do not exceed the rate and direct messages do not wait long", async () => {
    const { pump, run, single } = connect();
    await run("cmp_1");
    const start = Date.now();
    await pump.runUntil(start + 900);
    expect(await single()).toEqual({ isGranted: true, inMs: 101 });
    await pump.runUntil(start + 1040);
    expect(pump.takeGrants().map(({ size }) => size)).toEqual([40, 40, 39]);
  });

  it("A connection's pump grants no leases during a pause that a provider requests", async () => {
    const { pump, run } = connect();
    await run("cmp_1");
    const start = Date.now();
    await pump.runAlarm();
    await pump.stub.pause({ provider: "sandbox", scope: "connection", address: "", forMs: 5000 });
    await pump.runUntil(start + 10_000);
    const [before, ...after] = pump.takeGrants().map(({ at }) => at - start);
    expect(before).toBe(1);
    expect(after[0]).toBe(5001);
  });

  it(
    "If the queue rejects the grants of a connection's pump, the pump logs the rejection and continues at the next tick",
    { tags: "long" },
    async () => {
      const error = vi.spyOn(console, "error").mockReturnValue();
      let down = true;
      const taken: Grant[] = [];
      const { pump, run, world } = connect();
      const sendBatch = (batch: { body: Grant }[]) => {
        if (down) return Promise.reject(new Error("Queue overloaded"));
        taken.push(...batch.map(({ body }) => body));
        return Promise.resolve();
      };
      Object.assign(world.env, { CAMPAIGN_QUEUE: override(world.env.CAMPAIGN_QUEUE, { sendBatch }) });
      await run("cmp_1");
      const start = Date.now();
      await pump.runUntil(start + 30_000);
      expect(error.mock.calls.flat().join()).toContain("grants_not_enqueued");
      down = false;
      await pump.runUntil(start + 35_000);
      expect(slotsOf(taken)).toBeGreaterThanOrEqual(380);
    },
  );

  it("A connection's pump logs, for each campaign, the grants that no consumer reported as used within a minute", async () => {
    const error = vi.spyOn(console, "error").mockReturnValue();
    const { pump, run, report } = connect();
    const start = Date.now();
    await run("cmp_1");
    await report(await nextGrant(pump), "more");
    await pump.runUntil(start + 59_000);
    expect(error).not.toHaveBeenCalled();
    await pump.runUntil(start + 75_000);
    const lines = error.mock.calls.map(([line]) => JSON.parse(String(line)));
    const { connectionId } = pump;
    expect(lines[0]).toMatchObject({ event: "grants_not_reported", connectionId, campaignId: "cmp_1", messages: 40 });
    expect(lines.reduce((sum, { messages }) => sum + messages, 0)).toBe(800);
  });

  it("A connection's pump sends the grants of a tick to the queue at once", async () => {
    const { pump, run, world } = connect();
    const sendBatch = vi.spyOn(world.env.CAMPAIGN_QUEUE, "sendBatch");
    for (const campaignId of ["cmp_1", "cmp_2", "cmp_3", "cmp_4"]) await run(campaignId, 1000);
    await pump.runAlarm();
    expect(sendBatch).toHaveBeenCalledTimes(1);
    expect(pump.takeGrants().map(({ campaignId, size }) => `${campaignId} ${size}`)).toEqual([
      "cmp_1 100",
      "cmp_2 100",
      "cmp_3 50",
    ]);
  });

  it("A connection's pump stores an alarm per tick, slots once a second, and a campaign only when it starts, is parked or ends", async () => {
    const { pump, run, report } = connect();
    const calls = await watchStorage(pump);
    const start = Date.now();
    await run("cmp_1");
    await run("cmp_1");
    expect(calls).toEqual(["put campaign:cmp_1", "setAlarm"]);
    calls.length = 0;
    await pump.runUntil(start + 4159);
    const grants = pump.takeGrants();
    expect(grants).toHaveLength(8);
    for (const grant of grants) await report(grant, "more");
    expect(calls.filter((call) => call === "put slots")).toHaveLength(4);
    expect(calls.filter((call) => call !== "put slots" && call !== "setAlarm")).toEqual([]);
    expect(calls.filter((call) => call === "setAlarm").length).toBeLessThanOrEqual(13);
    calls.length = 0;
    await report(await nextGrant(pump), "nothing");
    expect(calls).toContain("delete campaign:cmp_1");
  });

  it("Waking the pump of a connection does not throw an error if the pump is unreachable", async () => {
    const error = vi.spyOn(console, "error").mockReturnValue();
    const { run, report, pump } = connect({
      CONNECTION_PACER: pacersAfter((method) => {
        throw new Error(`No ${method}`);
      }),
    });
    await run("cmp_1");
    const { connectionId } = pump;
    await report({ v: 1, workspace, campaignId: "cmp_1", connectionId, grantId: "g", size: 1, at: 0 }, "more");
    expect(error.mock.calls.flat().join()).toMatch(/No run.*No report/);
  });

  it("If a connection's pump is woken early, it grants no leases and sets its alarm again", async () => {
    const { pump, run } = connect();
    await run("cmp_1");
    await nextGrant(pump);
    await runDurableObjectAlarm(pump.stub);
    expect(pump.takeGrants()).toEqual([]);
    expect(await pump.dueAt()).toBe(Date.now() + 519);
  });
});
