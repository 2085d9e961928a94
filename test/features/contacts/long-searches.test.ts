import { beforeEach, describe, expect, it } from "vitest";
import { stopClock } from "../../support/clock.ts";
import { customerWith } from "../../support/campaigns.ts";
import { recordedWorld } from "../../support/recording.ts";

beforeEach(stopClock);

describe("Searches", () => {
  it("A contact search counts in several short statements and reuses the total", { tags: "long" }, async () => {
    const { world, recording } = recordedWorld();
    const { customer } = await customerWith(30_000, world);
    const total = async (query: string) =>
      (await customer.call("GET", `/contacts?limit=1&include_total=true${query}`)).body.total;
    recording.take();
    expect(await total("&status=new")).toBe(30_000);
    const counting = recording.take().filter(({ sql }) => /SELECT count\(\*\) AS count/.test(sql));
    expect(counting.length).toBeGreaterThan(1);
    for (const { rowsRead } of counting) expect(rowsRead).toBeLessThanOrEqual(20_010);
    await customer.call("POST", "/contacts", { email: "new@example.com" });
    expect(await total("&status=new")).toBe(30_000);
    world.advance(5000);
    expect(await total("&status=new")).toBe(30_001);
    expect(await total("")).toBe(30_001);
    recording.take();
    const statements = async (query: string) => {
      const found = await total(query);
      return [found, recording.take().filter(({ sql }) => /SELECT count\(\*\) AS count/.test(sql)).length];
    };
    expect(await statements("&status=hot&source=fair")).toEqual([0, 1]);
    expect(await statements("&search=new@example.com")).toEqual([1, 1]);
    expect(await statements("&search=new@example.com&offset=1")).toEqual([1, 2]);
  });
});
