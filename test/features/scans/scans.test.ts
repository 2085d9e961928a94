import { env as bindings } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { TURN_MS } from "../../../src/features/scans/scans.turn-queue.ts";
import { stopClock } from "../../support/clock.ts";
import { addPeople, campaign, campaignOf, customerWith, numberOf, started } from "../../support/campaigns.ts";
import { override } from "../../support/override.ts";
import { recordedWorld } from "../../support/recording.ts";
import { crowd, holdTurn, turnsOf } from "../../support/scans.ts";
import { all, saved } from "../../support/segment-world.ts";
import { faultyWorld, type Passage, databasesThrough } from "../../support/storage.ts";
import { type Answer, type Customer, World } from "../../support/world.ts";

beforeEach(stopClock);

/** Matches all contacts that `addPeople` creates. */
const everybody = all({ field: "status", op: "eq", value: "new" });
const withDigits = (digits: string) => all({ field: "phone", op: "contains", value: digits });
const howMany = (people: number, digits: string) =>
  Array.from({ length: people }, (_, n) => numberOf(n)).filter((phone) => phone.includes(digits)).length;
const count = (customer: Customer, id: string): Promise<Answer> => customer.call("GET", `/segments/${id}/count`);

const COUNTING = /count\(\*\) AS count[^]* AS newest FROM contacts/;

/** Counts the counting statements, in total and at the same time. */
class Watch implements Passage {
  most = 0;
  ran = 0;
  private now = 0;
  /** Runs after each counting statement. */
  after: () => Promise<unknown> = async () => undefined;

  async run<T>(sql: string, work: () => Promise<T>): Promise<T> {
    if (!COUNTING.test(sql)) return work();
    this.ran++;
    this.most = Math.max(this.most, ++this.now);
    const result = await work();
    this.now--;
    await this.after();
    return result;
  }
}

function watchedWorld(): { world: World; watch: Watch } {
  const watch = new Watch();
  return { world: new World(databasesThrough(watch)), watch };
}

describe("Counts of one workspace", () => {
  it("Counts of one workspace run one after the other, whichever key requests them, and are all correct", async () => {
    const { world, watch } = watchedWorld();
    const { customer } = await customerWith(7000, world);
    const second = await customer.manage("POST", "/api-keys", { name: "B", connection_id: customer.connectionId });
    const digits = ["00", "11", "22", "33", "44"];
    const ids = await Promise.all(digits.map((part) => saved(customer, withDigits(part))));
    const answers = await Promise.all(
      ids.flatMap((id) => [
        count(customer, id),
        customer.call("GET", `/segments/${id}/count`, undefined, { token: second.body.key }),
      ]),
    );
    const counts = digits.map((part) => howMany(7000, part));
    expect(answers.map(({ body }) => body.count)).toEqual(counts.flatMap((each) => [each, each]));
    expect(watch.most).toBe(1);
  });

  it("A count reads at most 5,000 contacts per statement", async () => {
    const { world, recording } = recordedWorld();
    const { customer } = await customerWith(11_000, world);
    const id = await saved(customer, everybody);
    recording.take();
    expect((await count(customer, id)).body.count).toBe(11_000);
    const counting = recording.take().filter(({ sql }) => COUNTING.test(sql));
    expect(counting.length).toBeGreaterThanOrEqual(3);
    for (const { rowsRead } of counting) expect(rowsRead).toBeLessThanOrEqual(5010);
  });

  it("A count includes the contacts that exist at the start, even if others are added during the count", async () => {
    const { world, watch } = watchedWorld();
    const { customer } = await customerWith(6000, world);
    const id = await saved(customer, everybody);
    let added = 6000;
    watch.after = () => addPeople(customer, 100, (added += 100));
    expect((await count(customer, id)).body.count).toBe(6000);
    expect(watch.ran).toBeGreaterThan(1);
  });

  it("Equal counts share one result for some seconds, and after that they are computed again", async () => {
    const { world, watch } = watchedWorld();
    const { customer } = await customerWith(6000, world);
    const [one, same] = [await saved(customer, everybody), await saved(customer, everybody)];
    await Promise.all([one, same, one, same].map((id) => count(customer, id)));
    const once = watch.ran;
    expect(once).toBeLessThanOrEqual(6000 / 500);
    await addPeople(customer, 1, 9000);
    expect((await count(customer, one)).body.count).toBe(6000);
    expect(watch.ran).toBe(once);
    world.advance(5000);
    expect((await count(customer, one)).body.count).toBe(6001);
  });

  it("A count that needs only one statement is computed for each request, so that it is always current", async () => {
    const { customer } = await customerWith(20);
    const id = await saved(customer, everybody);
    expect((await count(customer, id)).body.count).toBe(20);
    await addPeople(customer, 1, 20);
    expect((await count(customer, id)).body.count).toBe(21);
  });

  it("A count is not returned for another workspace's segment", async () => {
    const world = new World();
    const [mine, theirs] = [await world.customer(), await world.customer()];
    const id = await saved(theirs, everybody);
    expect((await count(mine, id)).status).toBe(404);
  });
});

describe("Busy workspaces", () => {
  it("While a workspace's scans take too long, counts, previews, campaign starts and long searches are rejected with Retry-After", async () => {
    const { customer } = await customerWith(2100);
    const id = await saved(customer, all({ field: "status", op: "eq", value: "hot" }));
    const order = await campaignOf(customer);
    const others = await crowd(customer);
    for (const [method, path, body] of [
      ["GET", `/segments/${id}/count`],
      ["GET", `/segments/${id}/contacts`],
      ["POST", "/campaigns/preview", order],
      ["POST", "/campaigns", order],
    ] as const) {
      const answer = await customer.call(method, path, body);
      expect([path, answer.status, answer.body.error?.code]).toEqual([path, 429, "rate_limited"]);
      expect(Number(answer.headers.get("Retry-After"))).toBeGreaterThanOrEqual(1);
    }
    expect((await customer.call("GET", "/campaigns")).body.campaigns).toEqual([]);
    // A list that needs only one short statement needs no turn.
    expect((await customer.call("GET", "/contacts?status=new&limit=1")).body.contacts).toHaveLength(1);
    await others.leave();
    expect((await count(customer, id)).body).toMatchObject({ count: 0 });
  });

  it("While one key's scans take too long, other keys and other workspaces still get turns", async () => {
    const world = new World();
    const [mine, theirs] = [await world.customer(), await world.customer()];
    const others = await crowd(mine, "a greedy key");
    expect((await count(theirs, await saved(theirs, everybody))).status).toBe(200);
    const asked = count(mine, await saved(mine, everybody));
    await others.leave();
    expect((await asked).status).toBe(200);
  });

  it("The console shows its pages without counts while the workspace's scans take too long", async () => {
    const { customer } = await customerWith(5);
    const member = await customer.member("admin");
    const id = await saved(customer, everybody);
    const others = await crowd(customer, member.userId);
    const at = `/console/${customer.workspaceId}`;
    const segment = await member.get(`${at}/segments/${id}`);
    expect([segment.status, segment.body.includes("Person 4")]).toEqual([200, true]);
    expect((await member.get(`${at}/segments/${id}/edit`)).body).toContain("Other counts are still running");
    expect((await member.get(`${at}/overview`)).body).toContain("1 of 1</strong> <a");
    for (const below of ["/part", ".csv"]) {
      const file = await member.get(`${at}/contacts/export${below}`);
      expect([below, file.status, file.headers.get("Retry-After")]).toEqual([below, 429, "5"]);
    }
    await others.leave();
    expect((await member.get(`${at}/segments/${id}`)).body).toContain("5 contacts");
  });

  it("A scheduled campaign starts later while the workspace's scans take too long", async () => {
    const { world, customer } = await customerWith(3);
    const id = await started(customer, { scheduled_at: new Date(Date.now() + 60_000).toISOString() });
    const others = await crowd(customer, "campaigns");
    world.advance(60_000);
    await turnsOf(customer).renew("held");
    await world.queues.deliverDue(world.env);
    await world.alarms.ringDue();
    await world.queues.deliverDue(world.env);
    expect(await campaign(customer, id)).toMatchObject({ status: "scheduled" });
    await others.leave();
    await world.settle();
    expect(await campaign(customer, id)).toMatchObject({ status: "completed", recipient_count: 3 });
  });
});

describe("Turns", () => {
  it("If a request is aborted during its turn to scan, the next request gets the turn after some seconds", async () => {
    const { world, customer } = await customerWith(1);
    await holdTurn(customer);
    world.advance(TURN_MS);
    expect((await count(customer, await saved(customer, everybody))).body.count).toBe(1);
  });

  it("If storage fails during a scan, the scan's turn ends", async () => {
    const { world, faults } = faultyWorld();
    const { customer } = await customerWith(6000, world);
    const id = await saved(customer, everybody);
    faults.next(COUNTING);
    expect((await count(customer, id)).status).toBe(503);
    expect(faults.spent).toBe(true);
    expect(await turnsOf(customer).take({ id: "next", owner: "x", waitMs: 0, question: null })).toEqual({
      outcome: "granted",
    });
    await turnsOf(customer).end("next", null);
    expect((await count(customer, id)).body.count).toBe(6000);
  });

  it("A count returns 503 if the object that grants turns is unreachable", async () => {
    const unreachable = override(bindings.SCAN_TURNS, {
      getByName: () => ({ take: () => Promise.reject(new Error("The object is gone.")) }),
    });
    const { customer } = await customerWith(1, new World({ SCAN_TURNS: unreachable }));
    const answer = await count(customer, await saved(customer, everybody));
    expect([answer.status, answer.body.error.code]).toEqual([503, "unavailable"]);
    expect(answer.headers.get("Retry-After")).toBe("1");
  });

  it("If the object that grants turns restarts, the request for a turn is repeated and gets its turn", async () => {
    let asked = 0;
    const dying = override(bindings.SCAN_TURNS, {
      getByName: (name: string) => {
        const stub = bindings.SCAN_TURNS.getByName(name);
        return {
          take: (...request: Parameters<typeof stub.take>) =>
            asked++ === 0
              ? Promise.reject(Object.assign(new Error("The object was reset."), { retryable: true }))
              : stub.take(...request),
          renew: (...turn: Parameters<typeof stub.renew>) => stub.renew(...turn),
          end: (...turn: Parameters<typeof stub.end>) => stub.end(...turn),
        };
      },
    });
    const { customer } = await customerWith(1, new World({ SCAN_TURNS: dying }));
    expect((await count(customer, await saved(customer, everybody))).body.count).toBe(1);
    expect(asked).toBe(2);
  });
});
