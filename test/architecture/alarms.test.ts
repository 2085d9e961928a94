import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

test("Objects set their alarms through the helper only, which sets none at or before now", () => {
  const files = globSync("src/**/*.ts").filter((file) => !file.endsWith(".d.ts"));
  expect(files.length).toBeGreaterThan(400);
  const setting = files.filter((file) => /\b[gs]etAlarm\b/.test(readFileSync(file, "utf8")));
  expect(setting).toEqual(["src/shared/alarms.ts"]);
});
