import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { iconShapes } from "../../src/console/kit/icon-shapes.ts";

it("The console holds no icon that it does not use", () => {
  const files = readdirSync("src/console", { recursive: true, encoding: "utf8" });
  const sources = files.filter((file) => /\.tsx?$/.test(file) && !file.endsWith("icon-shapes.ts"));
  const text = sources.map((file) => readFileSync(`src/console/${file}`, "utf8")).join("\n");
  expect(Object.keys(iconShapes).filter((name) => !text.includes(`"${name}"`))).toEqual([]);
});
