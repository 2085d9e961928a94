import { env as bindings } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { TurnDecision, TurnRequest } from "../../../../src/features/scans/scans.turn-queue.ts";
import { addPeople, campaign, change, customerWith, recipientsOf, started } from "../../../support/campaigns.ts";
import { stopClock } from "../../../support/clock.ts";
import { failingWorld } from "../../../support/failing-parts.ts";
import { override } from "../../../support/override.ts";
import { holdTurn, turnsOf } from "../../../support/scans.ts";
import { soon } from "../../../support/soon.ts";
import { World } from "../../../support/world.ts";

beforeEach(() => {
  stopClock();
  vi.spyOn(console, "error").mockReturnValue();
});

afterEach(() => {
  vi.restoreAllMocks();
});

const busy = (): Promise<TurnDecision> => Promise.resolve({ outcome: "busy" });
const unreachable = (): Promise<TurnDecision> => Promise.reject(new Error("The object is gone."));

/** If `answer` returns null, the object decides. */
const turnsThat = (answer: (request: TurnRequest) => Promise<TurnDecision> | null) => ({
  SCAN_TURNS: override(bindings.SCAN_TURNS, {
    getByName: (name: string) => {
      const stub = bindings.SCAN_TURNS.getByName(name);
      return {
        take: (request: TurnRequest) => answer(request) ?? stub.take(request),
        renew: (...turn: Parameters<typeof stub.renew>) => stub.renew(...turn),
        end: (...turn: Parameters<typeof stub.end>) => stub.end(...turn),
      };
    },
  }),
});

const deadOrFailed = ({ queues }: World) =>
  queues.messages.filter(({ queue, attempts }) => queue.endsWith("-dead") || attempts > 0);

describe("Campaigns of a workspace whose turns are busy", () => {
  it("A resumed campaign sends to its existing recipients although the turn is busy, and then creates the others", async () => {
    const { world, database } = failingWorld(/INSERT INTO messages/);
    const { customer } = await customerWith(510, world);
    const id = await started(customer);
    Object.assign(database, { failing: 2 });
    await world.queues.deliverDue(world.env);
    await change(customer, id, "pause");
    world.queues.messages.length = 0;

    let isBusy = true;
    Object.assign(
      world.env,
      turnsThat(() => (isBusy ? busy() : null)),
    );
    await change(customer, id, "resume");
    await world.settle({ withinMs: 60_000 });
    expect(await campaign(customer, id)).toMatchObject({ status: "running", counts: { read: 500, pending: 10 } });
    isBusy = false;
    await world.settle();
    expect(await campaign(customer, id)).toMatchObject({ status: "completed", counts: { read: 510, pending: 0 } });
  });

  it.each([
    ["busy", busy],
    ["unreachable", unreachable],
  ])("A campaign continues after many turns were %s, and no queue message fails", async (_, answer) => {
    let attempts = 0;
    const world = new World(turnsThat(({ owner }) => (owner === "campaigns" && ++attempts <= 20 ? answer() : null)));
    const { customer } = await customerWith(3, world);
    const id = await started(customer);
    await world.settle({ withinMs: 500 });
    expect([attempts, (await campaign(customer, id)).status]).toEqual([1, "running"]);
    await world.settle();
    expect(deadOrFailed(world)).toEqual([]);
    expect(attempts).toBeGreaterThan(20);
    expect(await campaign(customer, id)).toMatchObject({ status: "completed", counts: { read: 3 } });
  });

  it("Repeated jobs of a campaign whose turn is busy do not add up", async () => {
    let [attempts, isBusy] = [0, true];
    const answer = ({ owner }: TurnRequest) => (owner === "campaigns" && isBusy && ++attempts > 0 ? busy() : null);
    const world = new World(turnsThat(answer));
    const { customer } = await customerWith(3, world);
    const id = await started(customer);
    vi.spyOn(Math, "random").mockReturnValue(0.5);
    for (let minute = 0; minute < 5; minute++) {
      await world.settle({ withinMs: 60_000 });
      await world.cron();
    }
    // An attempt every 5 seconds for five minutes, and one for each run of the cron.
    expect(attempts).toBeLessThanOrEqual(5 * (60 / 5 + 1));
    expect(attempts).toBeGreaterThan(50);
    isBusy = false;
    await world.settle();
    expect((await campaign(customer, id)).status).toBe("completed");
  });

  it("A scheduled campaign starts later if the turn is busy at its time, even after the end of its sending time", async () => {
    const attempts: number[] = [];
    const answer = ({ owner }: TurnRequest) =>
      owner === "campaigns" && attempts.push(Date.now()) <= 5 ? busy() : null;
    const world = new World(turnsThat(answer));
    const { customer } = await customerWith(3, world);
    const [at, end] = [60_000, 65_000].map((ms) => new Date(Date.now() + ms).toISOString());
    const id = await started(customer, { scheduled_at: at, send_before: end });
    await world.settle();
    expect([attempts.length, deadOrFailed(world)]).toEqual([7, []]);
    for (const [n, time] of attempts.slice(1, 6).entries())
      expect(time - (attempts[n] ?? 0)).toBeGreaterThanOrEqual(2500);
    expect((await campaign(customer, id)).status).toBe("completed");
  });

  it("Another workspace's campaign is not delayed by twenty campaigns of a workspace whose turn is held", async () => {
    const { world, customer } = await customerWith(3);
    const ids = await Promise.all(Array.from({ length: 20 }, () => started(customer)));
    const other = await world.customer();
    await addPeople(other, 3);
    const otherId = await started(other);
    await holdTurn(customer);

    // Four consumers receive five messages each.
    let ended = 0;
    const batches = Array.from({ length: 4 }, () => world.queues.deliverDue(world.env).then(() => ended++));
    await world.queues.deliverDue(world.env);
    expect(await recipientsOf(other, otherId)).toHaveLength(3);
    // Two of the twenty jobs still wait, so at least two consumers are free.
    await soon(() => expect(ended).toBeGreaterThanOrEqual(2));
    expect(ended).toBeLessThan(4);

    await turnsOf(customer).end("held", null);
    await Promise.all(batches);
    await world.settle();
    for (const id of ids) expect((await campaign(customer, id)).status).toBe("completed");
  });
});
