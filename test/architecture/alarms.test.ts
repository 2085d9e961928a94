import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

test("Durable Objects set alarms only through a helper, which never sets an alarm at or before the current time", () => {
  const files = globSync("src/**/*.ts").filter((file) => !file.endsWith(".d.ts"));
  expect(files.length).toBeGreaterThan(400);
  const setting = files.filter((file) => /\b[gs]etAlarm\b/.test(readFileSync(file, "utf8")));
  expect(setting).toEqual(["src/shared/alarms.ts"]);
});
