import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as z from "zod";

const manifest = z.object({ devDependencies: z.record(z.string(), z.string()) });

test("CONTRIBUTING.md says of every development dependency why it is there", () => {
  const { devDependencies } = manifest.parse(JSON.parse(readFileSync("package.json", "utf8")));
  const [, section = ""] = readFileSync("CONTRIBUTING.md", "utf8").split("## Dependencies of development\n");
  const explained = [...(section.split("\n## ")[0]?.matchAll(/^\| `(.+?)` +\| \S/gm) ?? [])].map(([, name]) => name);
  expect(explained).toEqual(Object.keys(devDependencies));
});
