import { expect, test } from "vitest";
import { lazily } from "../../src/shared/lazily.ts";

test("What is loaded lazily is loaded with its first use, and kept", async () => {
  let loads = 0;
  const load = lazily(() => Promise.resolve(++loads));
  expect(loads).toBe(0);
  expect([await load(), await load()]).toEqual([1, 1]);
});

test("Of two first uses at once both get it, and the same from then on", async () => {
  const load = lazily(() => Promise.resolve({}));
  const [first, second] = await Promise.all([load(), load()]);
  expect(first).toEqual(second);
  expect(await load()).toBe(await load());
});

test("A failure to load is not kept", async () => {
  const answers = [Promise.reject(new Error("Out of memory")), Promise.resolve("loaded")];
  const load = lazily(() => answers.shift() ?? Promise.reject(new Error("Loaded again")));
  await expect(load()).rejects.toThrow("Out of memory");
  expect(await load()).toBe("loaded");
});

test("A use that waits for good leaves the others none the wiser", async () => {
  const answers = [new Promise<string>(() => {}), Promise.resolve("loaded")];
  const load = lazily(() => answers.shift() ?? Promise.reject(new Error("Loaded again")));
  void load();
  expect(await load()).toBe("loaded");
});
