import { expect, it } from "vitest";
import { Memo } from "../../src/shared/memo.ts";

it("A memo keeps the values that were set last", () => {
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

it("A memo with a time to live forgets a value after it, and at once where the caller names no time", () => {
  const memo = new Memo<string>(2, 100);
  expect(memo.set("a", "one", 1000)).toBe("one");
  expect([memo.get("a", 1099), memo.get("a", 1100), memo.get("a")]).toEqual(["one", undefined, undefined]);
});
