import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as z from "zod";

const manifest = z.object({ devDependencies: z.record(z.string(), z.string()) });

test("docs/dependencies.md contains the reason for every development dependency", () => {
  const { devDependencies } = manifest.parse(JSON.parse(readFileSync("package.json", "utf8")));
  const page = readFileSync("docs/dependencies.md", "utf8");
  const explained = [...page.matchAll(/^\| `(.+?)` +\| \S/gm)].map(([, name]) => name);
  expect(explained).toEqual(Object.keys(devDependencies));
});
