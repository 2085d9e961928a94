import { expect, test } from "vitest";
import { forEachConcurrently } from "../../src/shared/chunks.ts";

/** Runs a pool. The test decides when the work of an item ends. */
function heldPool(items: readonly number[], concurrency: number) {
  const started: number[] = [];
  const held = new Map<number, PromiseWithResolvers<void>>();
  const done = forEachConcurrently(items, concurrency, async (item) => {
    started.push(item);
    const ended = Promise.withResolvers<void>();
    held.set(item, ended);
    await ended.promise;
  });
  const end = async (item: number) => {
    held.get(item)?.resolve();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { started, held, done, end };
}

test("The items of a worker pool start in order, with limited concurrency", async () => {
  const { started, done, end } = heldPool([1, 2, 3, 4, 5], 2);
  expect(started).toEqual([1, 2]);
  await end(2);
  expect(started).toEqual([1, 2, 3]);
  await end(1);
  await end(3);
  expect(started).toEqual([1, 2, 3, 4, 5]);
  await end(4);
  await end(5);
  await done;
});

test("A worker pool processes all items, even if there are fewer items than the concurrency, or none", async () => {
  const worked: number[] = [];
  const work = async (item: number) => {
    worked.push(item);
  };
  await forEachConcurrently([1, 2], 5, work);
  await forEachConcurrently([], 5, work);
  expect(worked).toEqual([1, 2]);
});

test("A worker pool rejects with the first failure of an item", async () => {
  const { held, done } = heldPool([1, 2], 2);
  held.get(2)?.reject(new Error("It failed."));
  await expect(done).rejects.toThrow("It failed.");
});
