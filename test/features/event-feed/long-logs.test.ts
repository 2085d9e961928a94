import { beforeAll, describe, expect, it } from "vitest";
import { contextOf } from "../../support/context.ts";
import { fillLog, logEvents } from "../../support/fill-log.ts";
import { costOf } from "../../support/storage.ts";
import { type Answer, type Customer, World } from "../../support/world.ts";

const read = async (customer: Customer, query: string): Promise<Answer> => {
  const answer = await customer.call("GET", `/events?${query}`);
  expect(answer.status).toBe(200);
  return answer;
};

describe("Long logs", () => {
  let customer: Customer;
  const ids = new Map<number, string>();

  const idOf = async (sequence: number): Promise<string> => {
    const known = ids.get(sequence);
    if (known !== undefined) return known;
    const first: string = (await read(customer, "limit=1")).body.events[0].id;
    const digits = [...Array(10).keys()].map(
      (place) => "0123456789abcdefghjkmnpqrstvwxyz"[Math.floor(sequence / 32 ** (9 - place)) % 32],
    );
    return first.slice(0, -10) + digits.join("");
  };

  beforeAll(async () => {
    customer = await new World().customer({ plan: "scale" });
    const ctx = await contextOf(customer);
    await fillLog(ctx, 900, 100);
    await fillLog(ctx, 9999, 1);
    await logEvents(ctx, [{ type: "contact.created", id: "ct_gone" }]);
  });

  it("In a log of 100,000 events, a late page reads as few rows as the first page", async () => {
    const costs = [];
    for (const sequence of [100, 45_000, 89_800]) {
      const answer = await read(customer, `limit=100&after=${await idOf(sequence)}`);
      expect(answer.body.events.map((event: { sequence: number }) => event.sequence)).toEqual(
        Array.from({ length: 100 }, (_, index) => sequence + 1 + index),
      );
      costs.push(costOf(answer));
    }
    expect(costs[1]).toEqual(costs[0]);
    expect(costs[2]).toEqual(costs[0]);
    expect(costs[0]).toMatchObject({ trips: 1 });
    expect(costs[0]?.["rows_read"]).toBeLessThan(130);
  });

  it("If a filter matches none of 100,000 events, each page examines 5,000 events, and the last page reaches the end", async () => {
    let [after, pages, found] = ["", 0, 0];
    for (let hasMore = true; hasMore; pages++) {
      const answer = await read(customer, `types=contact.created${after}`);
      expect(costOf(answer)).toMatchObject({ trips: 1 });
      expect(costOf(answer)["rows_read"]).toBeLessThan(10_050);
      found += answer.body.events.length;
      hasMore = answer.body.has_more;
      after = `&after=${answer.body.next_after}`;
    }
    expect([pages, found]).toEqual([20, 1]);
  });
});
