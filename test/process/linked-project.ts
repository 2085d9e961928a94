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

/** Copies the project to `folder`, so that a script can change its settings and state. */
export function linkProject(folder: string): void {
  for (const name of LINKED) symlinkSync(resolve(name), join(folder, name));
  copyFileSync("wrangler.toml", join(folder, "wrangler.toml"));
}
