import { beforeEach, describe, expect, it } from "vitest";
import { readStatistics } from "../../../src/features/statistics/statistics.service.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../src/shared/time/durations.ts";
import { localDay } from "../../../src/shared/time/time-zones.ts";
import { customerWith, numberOf, started } from "../../support/campaigns.ts";
import { stopClock } from "../../support/clock.ts";
import { contextOf } from "../../support/context.ts";
import { faultyWorld, onShard } from "../../support/storage.ts";
import { type Answer, type Customer, phoneEnding, World } from "../../support/world.ts";

beforeEach(stopClock);

/** Updates the statistics like a reader. Returns the counts of the last `days` days by name. */
async function look(customer: Customer, { days = 1, timeZone = "UTC" } = {}) {
  const read = await readStatistics(await contextOf(customer), { days, timeZone });
  return { isComplete: read.isComplete, days: read.days.map(({ counts }) => Object.fromEntries(counts)) };
}

/** Reads the log through the API and returns the number of events by type. */
async function eventTypes(customer: Customer): Promise<Map<string, number>> {
  const types = new Map<string, number>();
  for (let after = ""; ;) {
    const { events, next_after, has_more } = (await customer.call("GET", `/events?limit=100${after}`)).body;
    for (const { type } of events) types.set(type, (types.get(type) ?? 0) + 1);
    if (!has_more) return types;
    after = `&after=${next_after}`;
  }
}

const toFive = (world: World) => world.setTime(Math.ceil(Date.now() / (5 * MINUTE_MS)) * 5 * MINUTE_MS);

const stored = async (customer: Customer, days = 30): Promise<Answer["body"][]> =>
  (await customer.manage("GET", `/statistics?days=${days}`)).body.days;

describe("Statistics", () => {
  it("Statistics count each event of the log once, however often they are read", async () => {
    const customer = await new World().customer();
    for (const ending of ["1234", "0001", "0002", "0003"]) await customer.send(phoneEnding(ending));
    const to = phoneEnding("1234");
    await customer.receive(to, "Hi");
    await customer.receive(to, "STOP");
    await customer.receive(to, "START");
    await customer.world.settle();
    await look(customer, { days: 2 });
    const { days, isComplete } = await look(customer, { days: 2 });
    expect(isComplete).toBe(true);
    const [first = {}, second = {}] = days;
    const types = await eventTypes(customer);
    for (const type of ["queued", "received", "sent", "delivered", "read", "failed"].map((verb) => `message.${verb}`))
      expect((first[type] ?? 0) + (second[type] ?? 0), type).toBe(types.get(type) ?? 0);
    expect(types.get("contact.opted_out")).toBe(1);
    expect({ ...first, ...second }).toMatchObject({
      "contact.opted_out": 1,
      "contact.opted_in": 1,
      [`queued by ${customer.keyId}`]: 4,
    });
  });

  it("Statistics count campaign messages separately from direct messages", async () => {
    const customer = await new World().customer();
    for (let n = 0; n < 3; n++) await customer.call("POST", "/contacts", { phone: phoneEnding("1234"), tags: ["VIP"] });
    const { template } = (await customer.call("POST", "/templates", { name: "Offer", body: "Hello" })).body;
    await customer.send(phoneEnding("1234"));
    await customer.call("POST", "/campaigns", { name: "Offer", template_id: template.id, channel: "unofficial" });
    await customer.world.settle();
    const { days } = await look(customer, { days: 2 });
    const sum = (name: string) => days.reduce((total, day) => total + (day[name] ?? 0), 0);
    expect([sum("message.sent"), sum("campaign.sent"), sum("campaign.read")]).toEqual([1, 4, 4]);
  });

  it("Concurrent reads of statistics count each event once", async () => {
    const customer = await new World().customer();
    for (let n = 0; n < 3; n++) await customer.send(phoneEnding("1234"));
    await Promise.all([look(customer), look(customer), look(customer)]);
    expect((await look(customer)).days[0]?.["message.queued"]).toBe(3);
  });

  it.each(["before", "after"] as const)(
    "Statistics count each event once if storage fails %s the commit",
    async (when) => {
      const { world, faults } = faultyWorld();
      const customer = await world.customer();
      for (let n = 0; n < 3; n++) await customer.send(phoneEnding("1234"));
      faults.next(/INSERT INTO statistics_days/, when, "D1_ERROR: internal error");
      await expect(look(customer)).rejects.toThrow();
      expect((await look(customer)).days[0]?.["message.queued"]).toBe(3);
      await customer.send(phoneEnding("1234"));
      faults.next(/INSERT INTO statistics_days/, when, "D1_ERROR: internal error");
      toFive(world);
      await expect(world.cron()).rejects.toThrow("1 scheduled jobs failed.");
      expect(faults.spent).toBe(true);
      world.advance(5 * MINUTE_MS);
      await world.cron();
      expect((await look(customer, { days: 2 })).days.reduce((sum, day) => sum + (day["message.queued"] ?? 0), 0)).toBe(
        4,
      );
    },
  );

  it("Statistics are counted page by page if there are many events", async () => {
    const customer = await new World().customer();
    const event = JSON.stringify(["message.received", "msg_none", { delivery: [null, "delivered"] }]);
    const at = Date.now();
    await onShard(
      customer,
      `INSERT INTO event_chunks (workspace_id, first, count, at, actor_type, body)
       WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 2999)
       SELECT ?, 1000000 + i * 5, 5, ?, 'provider', '[' || ? || ',' || ? || ',' || ? || ',' || ? || ',' || ? || ']' FROM n`,
      customer.workspaceId,
      at,
      ...Array.from({ length: 5 }, () => event),
    );
    const first = await look(customer);
    expect(first.isComplete).toBe(false);
    let last = first;
    for (let n = 0; n < 10 && !last.isComplete; n++) last = await look(customer);
    expect(last.days[0]?.["message.received"]).toBe(15_000);
  });

  it("Statistics use days in the workspace's time zone", async () => {
    const customer = await new World().customer();
    const { world } = customer;
    world.setTime(Math.ceil(Date.now() / DAY_MS) * DAY_MS + 20 * HOUR_MS);
    await customer.send(phoneEnding("1234"));
    expect((await look(customer, { timeZone: "Pacific/Auckland" })).days[0]?.["message.queued"]).toBe(1);
    await customer.manage("PATCH", "", { time_zone: "Asia/Tokyo" });
    const other = await world.customer();
    await other.manage("PATCH", "", { time_zone: "Asia/Tokyo" });
    await other.send(phoneEnding("1234"));
    toFive(world);
    await world.cron();
    expect((await stored(other)).map(({ date }) => date)).toEqual([localDay(Date.now(), "Asia/Tokyo")]);
    expect(await stored(other, 1)).toHaveLength(1);
    world.advance(DAY_MS - 4 * HOUR_MS);
    expect([await stored(other, 1), (await stored(other, 2)).length]).toEqual([[], 1]);
  });

  it("The cron updates the statistics, and the API lists them for each workspace", async () => {
    const world = new World();
    const [mine, theirs] = [await world.customer(), await world.customer()];
    await mine.send(phoneEnding("1234"));
    await world.settle();
    expect(await stored(mine)).toEqual([]);
    toFive(world);
    await world.cron();
    await world.cron();
    const days = await stored(mine);
    const sum = (read: (day: Answer["body"]) => number) => days.reduce((total, day) => total + read(day), 0);
    expect(sum(({ messages }) => messages.queued)).toBe(1);
    expect(sum(({ messages }) => messages.read)).toBe(1);
    expect(sum(({ queued_by_key }) => queued_by_key[0]?.count ?? 0)).toBe(1);
    expect(JSON.stringify(await stored(theirs))).not.toContain(mine.keyId);
    world.advance(450 * DAY_MS);
    await mine.send(phoneEnding("1234"));
    await look(mine);
    expect(
      await onShard(mine, "SELECT count(*) AS n FROM statistics_days WHERE workspace_id = ?", mine.workspaceId),
    ).toEqual([{ n: 1 }]);
  });
});

describe("Response times", () => {
  it("A response time lasts from the first unanswered message to the first reply, separately for people and software", async () => {
    const customer = await new World().customer();
    const { world } = customer;
    const to = phoneEnding("1234");
    await customer.receive(to, "Hi");
    world.advance(4 * MINUTE_MS);
    await customer.receive(to, "Hello?");
    world.advance(4 * MINUTE_MS);
    await customer.send(to, "Here I am");
    await customer.send(to, "What is it?");
    await world.settle();
    world.advance(DAY_MS);
    await customer.send(to, "Hello?");
    const days = await stored(customer);
    expect(days).toEqual([]);
    await look(customer);
    const listed = await stored(customer, 5);
    const answers = listed.map((day) => day.answers.software);
    expect(answers.reduce((sum, { count }) => sum + count, 0)).toBe(1);
    const [answer] = answers.filter(({ count }) => count === 1);
    expect(answer.median_seconds).toBeGreaterThan(5 * 60);
    expect(answer.median_seconds).toBeLessThanOrEqual(10 * 60);

    const member = await customer.member("agent");
    world.advance(MINUTE_MS);
    await customer.receive(to, "Thanks");
    world.advance(MINUTE_MS);
    const { conversations } = (await customer.call("GET", "/conversations")).body;
    const replied = await member.post(`/console/${customer.workspaceId}/inbox/${conversations[0].id}`, {
      text: "You are welcome",
    });
    expect(replied.status).toBe(303);
    await look(customer);
    expect((await stored(customer)).at(-1).answers.people).toMatchObject({ count: 1 });
  });

  it("A response time starts at the first message after an opt-out or a START", async () => {
    const world = new World();
    const customer = await world.customer();
    const to = phoneEnding("1234");
    for (const texts of [
      ["Hi", "STOP", "Hello?"],
      ["Thanks", "STOP", "START"],
    ]) {
      for (const text of texts) {
        world.advance(2 * DAY_MS);
        await customer.receive(to, text);
      }
      world.advance(MINUTE_MS);
      expect((await customer.send(to, "Here")).status).toBe(202);
      await look(customer);
    }
    const timed = (await stored(customer)).map(({ answers }) => answers.software).filter(({ count }) => count > 0);
    expect(timed).toHaveLength(2);
    for (const { median_seconds } of timed) expect(median_seconds).toBeLessThanOrEqual(2 * 60);
  });

  it("The test message of a campaign does not count as a reply in response times", async () => {
    const { world, customer } = await customerWith(1);
    const to = numberOf(0);
    await customer.receive(to, "Where is my order?");
    world.advance(MINUTE_MS);
    const id = await started(customer);
    expect((await customer.call("POST", `/campaigns/${id}/test`, { to })).status).toBe(202);
    await world.settle();
    const answers = async () =>
      (await look(customer, { days: 2 })).days
        .flatMap((day) => Object.keys(day))
        .filter((name) => name.startsWith("answers"));
    expect(await answers()).toEqual([]);
    world.advance(MINUTE_MS);
    await customer.send(to, "It leaves today");
    expect(await answers()).toHaveLength(1);
  });
});
