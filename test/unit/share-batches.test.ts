import { describe, expect, it } from "vitest";
import { shareBatches } from "../../src/db/share-batches.ts";

/** A database whose round trips respond when the test decides. A round trip with the statement `bad` fails. */
function slowDatabase() {
  const trips: string[][] = [];
  const waiting: (() => void)[] = [];
  const batch = shareBatches(async (statements: string[]) => {
    trips.push(statements);
    await new Promise<void>((resolve) => waiting.push(resolve));
    if (statements.includes("bad")) throw new Error("No.");
    return statements.map((statement) => `done ${statement}`);
  });
  /** Responds until no round trip is left. */
  async function answerAll(): Promise<void> {
    for (let quiet = 0; quiet < 10; quiet++) {
      await Promise.resolve();
      for (const answer of waiting.splice(0)) {
        answer();
        quiet = 0;
      }
    }
  }
  return { trips, batch, answerAll };
}

describe("Shared batches", () => {
  it("A database batch that starts alone runs immediately", async () => {
    const { trips, batch, answerAll } = slowDatabase();
    for (const name of ["a", "b"]) {
      const results = batch([name, `${name}2`]);
      await answerAll();
      expect(await results).toEqual([`done ${name}`, `done ${name}2`]);
    }
    expect(trips).toEqual([
      ["a", "a2"],
      ["b", "b2"],
    ]);
  });

  it("Database batches that start together share a round trip, and batches that start later share the next one", async () => {
    const { trips, batch, answerAll } = slowDatabase();
    const first = Promise.all([batch(["a"]), batch(["b", "c"])]);
    await Promise.resolve();
    await Promise.resolve();
    const next = Promise.all([batch(["d"]), batch([]), batch(["e"])]);
    await answerAll();
    expect(await first).toEqual([["done a"], ["done b", "done c"]]);
    expect(await next).toEqual([["done d"], [], ["done e"]]);
    expect(trips).toEqual([
      ["a", "b", "c"],
      ["d", "e"],
    ]);
  });

  it("If a shared round trip fails, its database batches run again separately, so that only the faulty batch fails", async () => {
    const { trips, batch, answerAll } = slowDatabase();
    const outcomes = Promise.allSettled([batch(["a"]), batch(["bad"]), batch(["c"])]);
    await answerAll();
    expect((await outcomes).map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(trips).toEqual([["a", "bad", "c"], ["a"], ["bad"], ["c"]]);
    const later = batch(["d"]);
    await answerAll();
    expect(await later).toEqual(["done d"]);
  });
});
