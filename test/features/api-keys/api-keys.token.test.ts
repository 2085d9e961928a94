import { describe, expect, it } from "vitest";
import { checkKey, mintKey } from "../../../src/features/api-keys/api-keys.token.ts";

const secret = { current: "first secret" };

describe("API key format", () => {
  it("A new API key is `tdg_` and 38 base62 characters, unique and valid", async () => {
    const keys = await Promise.all(Array.from({ length: 500 }, () => mintKey(secret)));
    expect(new Set(keys).size).toBe(500);
    for (const key of keys) expect(key).toMatch(/^tdg_[0-9A-Za-z]{38}$/);
    expect(await Promise.all(keys.map((key) => checkKey(key, secret)))).not.toContain(false);
  });

  it("An API key with one changed character or letter case is rejected", async () => {
    const key = await mintKey(secret);
    for (let i = 0; i < key.length; i++) {
      const changed = key.slice(0, i) + (key[i] === "x" ? "y" : "x") + key.slice(i + 1);
      expect(await checkKey(changed, secret), changed).toBe(false);
    }
    expect(await checkKey(key.toUpperCase(), secret)).toBe(false);
  });

  it("An API key of a different length or form is rejected", async () => {
    const key = await mintKey(secret);
    for (const text of [
      "",
      "tdg_",
      key.slice(4),
      key.slice(0, -1),
      `${key}0`,
      ` ${key}`,
      `${key}\n`,
      `tdg_${"0".repeat(38)}`,
    ])
      expect(await checkKey(text, secret), JSON.stringify(text)).toBe(false);
  });

  it("An API key that a former secret signed is accepted while the former secret is configured", async () => {
    const key = await mintKey(secret);
    expect(await checkKey(key, { current: "second secret" })).toBe(false);
    expect(await checkKey(key, { current: "second secret", previous: "" })).toBe(false);
    expect(await checkKey(key, { current: "third secret", previous: "second secret,first secret" })).toBe(true);
  });

  it("New API keys use every character equally often", async () => {
    const counts = new Map<string, number>();
    const keys = await Promise.all(Array.from({ length: 2000 }, () => mintKey(secret)));
    for (const letter of keys.map((key) => key.slice(4, 36)).join(""))
      counts.set(letter, (counts.get(letter) ?? 0) + 1);
    // Chi-squared with 61 degrees of freedom is above 130 once in a million runs. `byte % 62` would give about 390.
    const expected = (2000 * 32) / 62;
    const chi = [...counts.values()].reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
    expect(counts.size).toBe(62);
    expect(chi).toBeLessThan(130);
  });
});
