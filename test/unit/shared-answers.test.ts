import { expect, it } from "vitest";
import { SharedAnswers } from "../../src/features/webhooks/sending/shared-answers.ts";

it("Repeats of a request within a minute take effect once, and different requests take effect separately", async () => {
  let now = 0;
  const requests = new SharedAnswers<number>(() => now);
  let count = 0;
  const act = () => Promise.resolve(++count);
  expect(await Promise.all(["a", "a", "b", null, null].map((key) => requests.actOnce(key, act)))).toEqual([
    1, 1, 2, 3, 4,
  ]);
  expect(await requests.actOnce("a", act)).toBe(1);
  now = 60_000;
  expect(await requests.actOnce("a", act)).toBe(5);
});

it("Simultaneous repeats of a request receive the same rejection or failure, and a later repeat runs again", async () => {
  const requests = new SharedAnswers<string | null>(() => 0);
  const acts = [() => Promise.resolve(null), () => Promise.reject(new Error("lost")), () => Promise.resolve("done")];
  const ask = () => requests.actOnce("a", () => acts.shift()?.() ?? Promise.resolve("again"));
  expect(await Promise.all([ask(), ask()])).toEqual([null, null]);
  for (const { status } of await Promise.allSettled([ask(), ask()])) expect(status).toBe("rejected");
  expect([await ask(), await ask()]).toEqual(["done", "done"]);
});
