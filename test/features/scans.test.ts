import { env as bindings } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { TURN_MS } from "../../src/features/scans/scans.turns.ts";
import { stopClock } from "../support/alarms.ts";
import { addPeople, customerWith, numberOf } from "../support/campaigns.ts";
import { override } from "../support/override.ts";
import { recordedWorld } from "../support/recording.ts";
import { all, saved } from "../support/segment-world.ts";
import { faultyWorld, type Passage, passingThrough } from "../support/storage.ts";
import { count, holdTurn, turnsOf } from "../support/turns.ts";
import { World } from "../support/world.ts";

beforeEach(stopClock);

/** Of the people that `addPeople` makes. */
const everybody = all({ field: "status", op: "eq", value: "new" });
const withDigits = (digits: string) => all({ field: "phone", op: "contains", value: digits });
const howMany = (people: number, digits: string) =>
  Array.from({ length: people }, (_, n) => numberOf(n)).filter((phone) => phone.includes(digits)).length;

const COUNTING = /count\(\*\) AS count[^]* AS given FROM contacts/;

/** Watches how many counting statements run at a time. */
class Watch implements Passage {
  most = 0;
  ran = 0;
  private now = 0;
  /** Runs after each of them. */
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
  const databases = {
    DB: passingThrough(watch, bindings.DB),
    DB_SHARD_1: passingThrough(watch, bindings.DB_SHARD_1),
  };
  return { world: new World(databases), watch };
}

describe("counts of one workspace", () => {
  it("run one at a time, whoever asks, and all come out right", async () => {
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

  it("look at 5,000 contacts a statement at most", async () => {
    const { world, recording } = recordedWorld();
    const { customer } = await customerWith(23_000, world);
    const id = await saved(customer, everybody);
    recording.take();
    expect((await count(customer, id)).body.count).toBe(23_000);
    const counting = recording.take().filter(({ sql }) => COUNTING.test(sql));
    expect(counting.length).toBeGreaterThanOrEqual(5);
    for (const { rowsRead } of counting) expect(rowsRead).toBeLessThanOrEqual(5010);
  });

  it("are of the contacts there are at the start, also where others come meanwhile", async () => {
    const { world, watch } = watchedWorld();
    const { customer } = await customerWith(6000, world);
    const id = await saved(customer, everybody);
    let added = 6000;
    watch.after = () => addPeople(customer, 100, (added += 100));
    expect((await count(customer, id)).body.count).toBe(6000);
    expect(watch.ran).toBeGreaterThan(1);
  });

  it("are told within seconds to others who ask the same, and then made anew", async () => {
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

  it("are always as things are now where one statement does", async () => {
    const { customer } = await customerWith(20);
    const id = await saved(customer, everybody);
    expect((await count(customer, id)).body.count).toBe(20);
    await addPeople(customer, 1, 20);
    expect((await count(customer, id)).body.count).toBe(21);
  });

  it("of another workspace, of another's segment, are not found", async () => {
    const world = new World();
    const [mine, theirs] = [await world.customer(), await world.customer()];
    const id = await saved(theirs, everybody);
    expect((await count(mine, id)).status).toBe(404);
  });
});

describe("a turn", () => {
  it("of a request that was cut is given to the next after a while", async () => {
    const { world, customer } = await customerWith(1);
    await holdTurn(customer);
    world.advance(TURN_MS);
    expect((await count(customer, await saved(customer, everybody))).body.count).toBe(1);
  });

  it("is given back where storage fails in the middle", async () => {
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

  it("that cannot be asked for refuses the count, for now", async () => {
    const unreachable = override(bindings.SCAN_TURNS, {
      getByName: () => ({ take: () => Promise.reject(new Error("The object is gone.")) }),
    });
    const { customer } = await customerWith(1, new World({ SCAN_TURNS: unreachable }));
    const answer = await count(customer, await saved(customer, everybody));
    expect([answer.status, answer.body.error.code]).toEqual([503, "unavailable"]);
    expect(answer.headers.get("Retry-After")).toBe("1");
  });

  it("that is asked for again after the object died, is given", async () => {
    let asked = 0;
    const dying = override(bindings.SCAN_TURNS, {
      getByName: (name: string) => {
        const stub = bindings.SCAN_TURNS.getByName(name);
        return {
          take: (...request: Parameters<typeof stub.take>) =>
            asked++ === 0
              ? Promise.reject(Object.assign(new Error("The object was reset."), { retryable: true }))
              : stub.take(...request),
          end: (...turn: Parameters<typeof stub.end>) => stub.end(...turn),
        };
      },
    });
    const { customer } = await customerWith(1, new World({ SCAN_TURNS: dying }));
    expect((await count(customer, await saved(customer, everybody))).body.count).toBe(1);
    expect(asked).toBe(2);
  });
});
