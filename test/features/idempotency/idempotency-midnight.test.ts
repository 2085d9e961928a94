import { beforeEach, describe, expect, it } from "vitest";
import { stopClock } from "../../support/clock.ts";
import { type Answer, phoneEnding, World } from "../../support/world.ts";

const DAY_MS = 86_400_000;

beforeEach(stopClock);

const keyed = (key: string) => ({ headers: { "Idempotency-Key": key } });
const isReplay = ({ headers }: Answer) => headers.get("Idempotent-Replayed");

describe("Requests around midnight", () => {
  it("A request before midnight UTC is recognized as repeated after midnight", async () => {
    const world = new World();
    const customer = await world.customer();
    const midnight = Math.ceil(Date.now() / DAY_MS) * DAY_MS;
    world.setTime(midnight - 1);
    const to = phoneEnding("1234");
    const first = await customer.send(to, "Hi", keyed("k"));
    world.setTime(midnight);
    await world.cron();
    const again = await customer.send(to, "Hi", keyed("k"));
    expect([again.body, isReplay(again)]).toEqual([first.body, "true"]);
  });

  it("A repeated request is recognized even if it reaches an isolate whose clock is still before midnight UTC", async () => {
    const world = new World();
    const customer = await world.customer();
    const midnight = Math.ceil(Date.now() / DAY_MS) * DAY_MS;
    world.setTime(midnight + 1);
    const to = phoneEnding("1234");
    const first = await customer.send(to, "Hi", keyed("k"));
    world.setTime(midnight - 1);
    const again = await customer.send(to, "Hi", keyed("k"));
    expect([again.body, isReplay(again)]).toEqual([first.body, "true"]);
    await world.settle();
    expect(await customer.outbox()).toHaveLength(1);
  });

  it("A request is recognized as repeated until the last of its 24 hours ends, even if the cron's clock is already in the next day", async () => {
    const world = new World();
    const customer = await world.customer();
    const midnight = Math.ceil(Date.now() / DAY_MS) * DAY_MS;
    world.setTime(midnight - 50);
    const to = phoneEnding("1234");
    const first = await customer.send(to, "Hi", keyed("k"));
    world.setTime(midnight + DAY_MS + 20);
    await world.cron();
    world.setTime(midnight + DAY_MS - 60);
    const again = await customer.send(to, "Hi", keyed("k"));
    expect([again.body, isReplay(again)]).toEqual([first.body, "true"]);
  });
});
