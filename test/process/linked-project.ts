import { copyFileSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";

const LINKED = [
  "README.md",
  "docs",
  "drizzle",
  "node_modules",
  "package.json",
  "scripts",
  "sdk",
  "src",
  "tsconfig.json",
];

/** Makes `folder` a copy of the project whose settings and state a script can change. */
export function linkProject(folder: string): void {
  for (const name of LINKED) symlinkSync(resolve(name), join(folder, name));
  copyFileSync("wrangler.toml", join(folder, "wrangler.toml"));
}
