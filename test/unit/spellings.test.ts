import { expect, test } from "vitest";
import { firstSpellings, fold } from "../../src/shared/text/folding.ts";

test("If a list contains several spellings of a name, only the first spelling is kept, at its position", () => {
  expect([...firstSpellings(["VIP", "new", "vip", "ＶＩＰ", "New"]).values()]).toEqual(["VIP", "new"]);
  expect([...firstSpellings(["Señor", "senor"]).values()]).toEqual(["Señor", "senor"]);
  expect([...firstSpellings(["Señor", "senor"], fold).values()]).toEqual(["Señor"]);
});
