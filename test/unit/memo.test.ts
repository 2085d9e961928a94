import { expect, it, test } from "vitest";
import { lazily, Memo } from "../../src/shared/memo.ts";

it("A full memo drops the value that was set longest ago", () => {
  const memo = new Memo<number>(2);
  for (const [key, value] of [
    ["a", 1],
    ["b", 2],
    ["a", 3],
    ["c", 4],
  ] as const)
    memo.set(key, value);
  expect([memo.get("a"), memo.get("b"), memo.get("c")]).toEqual([3, undefined, 4]);
  memo.delete("a");
  expect(memo.get("a")).toBeUndefined();
});

it("A memo with a time to live returns a value only until the value expires", () => {
  const memo = new Memo<string>(2, 100);
  expect(memo.set("a", "one", 1000)).toBe("one");
  expect([memo.get("a", 1099), memo.get("a", 1100), memo.get("a")]).toEqual(["one", undefined, undefined]);
});

test("A lazy value is loaded on first use and cached", async () => {
  let loads = 0;
  const load = lazily(() => Promise.resolve(++loads));
  expect(loads).toBe(0);
  expect([await load(), await load()]).toEqual([1, 1]);
});

test("Two simultaneous first reads of a lazy value both load it, and later reads share one value", async () => {
  const load = lazily(() => Promise.resolve({}));
  const [first, second] = await Promise.all([load(), load()]);
  expect(first).toEqual(second);
  expect(await load()).toBe(await load());
});

test("A lazy value that failed to load is not cached", async () => {
  const answers = [Promise.reject(new Error("Out of memory")), Promise.resolve("loaded")];
  const load = lazily(() => answers.shift() ?? Promise.reject(new Error("Loaded again")));
  await expect(load()).rejects.toThrow("Out of memory");
  expect(await load()).toBe("loaded");
});

test("A lazy value whose load never ends does not block other reads", async () => {
  const answers = [new Promise<string>(() => {}), Promise.resolve("loaded")];
  const load = lazily(() => answers.shift() ?? Promise.reject(new Error("Loaded again")));
  void load();
  expect(await load()).toBe("loaded");
});
