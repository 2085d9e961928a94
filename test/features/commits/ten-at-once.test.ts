// Ten concurrent writers of one record lose and repeat no change, and at most one gets a 503.
import { describe, expect, test, vi } from "vitest";
import { Visitor } from "../../support/visitor.ts";
import { type Answer, type Customer, World } from "../../support/world.ts";

vi.setConfig({ testTimeout: 60_000 });

const TEN = Array.from({ length: 10 }, (_, index) => index);

const countOf = (answers: Answer[], ...statuses: number[]) =>
  answers.filter(({ status }) => statuses.includes(status)).length;

function expectServed(answers: Answer[]) {
  expect(countOf(answers, 200, 503)).toBe(10);
  expect(countOf(answers, 503)).toBeLessThanOrEqual(1);
}

const changesOf = async (customer: Customer, type: string): Promise<Answer["body"][]> =>
  (await customer.call("GET", `/events?types=${type}&limit=100`)).body.events;

describe("Ten concurrent requests", () => {
  test("Ten concurrent requests that rename an API key all succeed, and later requests use the last name", async () => {
    const customer = await new World().customer();
    const path = `/api-keys/${customer.keyId}`;
    expectServed(await Promise.all(TEN.map((n) => customer.manage("PATCH", path, { name: `Key ${n}` }))));
    const { name } = (await customer.manage("GET", path)).body.api_key;
    expect(name).toMatch(/^Key \d$/);
    await customer.call("GET", "/me");
    expect((await customer.call("GET", "/me")).body.api_key.name).toBe(name);
  });

  test("Ten concurrent requests that revoke an API key append one event", async () => {
    const customer = await new World().customer();
    const made = await customer.manage("POST", "/api-keys", { name: "Old", connection_id: customer.connectionId });
    const { id } = made.body.api_key;
    const answers = await Promise.all(TEN.map(() => customer.manage("POST", `/api-keys/${id}/revoke`)));
    expectServed(answers);
    const served = answers.filter(({ status }) => status === 200);
    expect(new Set(served.map(({ body }) => body.api_key.revoked_at)).size).toBe(1);
    await customer.world.settle();
    await customer.world.cron();
    expect(await changesOf(customer, "api_key.revoked")).toHaveLength(1);
  });

  test("Ten concurrent requests that change different settings of a workspace store all settings", async () => {
    const customer = await new World().customer();
    const changes = [{ name: "New" }, { plan: "scale" }, { time_zone: "Europe/Berlin" }, { first_steps_hidden: true }];
    const answers = await Promise.all(TEN.map((n) => customer.manage("PATCH", "", changes[n % changes.length])));
    expectServed(answers);
    const { name, plan, time_zone, first_steps_hidden } = (await customer.manage("GET", "")).body.workspace;
    expect([name, plan, time_zone, first_steps_hidden]).toEqual(["New", "scale", "Europe/Berlin", true]);
  });

  test("Ten concurrent requests that change a connection append one event each, and each event starts from the state after the previous event", async () => {
    const customer = await new World().customer();
    const path = `/connections/${customer.connectionId}`;
    const rates = TEN.map((n) => 10 + n);
    expectServed(await Promise.all(rates.map((rate) => customer.manage("PATCH", path, { messages_per_second: rate }))));
    const pairs: [number, number][] = (await changesOf(customer, "connection.updated")).map(
      ({ changes }) => changes.messages_per_second,
    );
    for (const [index, [before]] of pairs.entries()) expect(before).toBe(index === 0 ? 80 : pairs[index - 1]?.[1]);
    expect((await customer.manage("GET", path)).body.connection.messages_per_second).toBe(pairs.at(-1)?.[1]);
  });

  test("Ten concurrent requests that set the default connection of a channel leave one default", async () => {
    const customer = await new World().customer();
    const ids: string[] = [];
    for (const n of TEN) {
      const body = { name: `C ${n}`, channel: "unofficial", provider: "sandbox", config: {}, is_default: false };
      ids.push((await customer.manage("POST", "/connections", body)).body.connection.id);
    }
    expectServed(
      await Promise.all(ids.map((id) => customer.manage("PATCH", `/connections/${id}`, { is_default: true }))),
    );
    const { connections } = (await customer.manage("GET", "/connections")).body;
    expect(connections.filter(({ is_default }: { is_default: boolean }) => is_default)).toHaveLength(1);
  });

  test("Ten concurrent requests that remove owners leave one owner", async () => {
    const customer = await new World().customer();
    const owners = await Promise.all(TEN.map(() => customer.member("owner")));
    const answers = await Promise.all(owners.map(({ userId }) => customer.manage("DELETE", `/members/${userId}`)));
    const left = (await customer.manage("GET", "/members")).body.members;
    expect(left).toHaveLength(10 - countOf(answers, 200));
    expect(left.length).toBeGreaterThanOrEqual(1);
    expect(countOf(answers, 200, 409, 503)).toBe(10);
    expect(countOf(answers, 503)).toBeLessThanOrEqual(1);
  });

  test("Ten concurrent requests that accept one invitation create one member", async () => {
    const customer = await new World().customer();
    const secret = await customer.invite("new@example.com", "agent");
    const visitors = TEN.map(() => new Visitor(customer.world));
    const answers = await Promise.all(visitors.map((visitor) => visitor.signUp(secret)));
    expect(countOf(answers, 303)).toBe(1);
    expect((await customer.manage("GET", "/members")).body.members).toHaveLength(1);
  });
});
