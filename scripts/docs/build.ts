// `npm run docs`: builds the documentation site to dist/site, unless nothing has changed. Wrangler runs it before it builds the
// Worker.
import { createHash } from "node:crypto";
import { globSync } from "node:fs";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { buildSite } from "./bundle.ts";

const OUT = "dist/site";
/** Beside the site, so that it is not served. */
const STAMP = "dist/site.sha256";

export const SOURCES = [
  "docs/guides/*.md",
  "docs/*.md",
  "sdk/README.md",
  "sdk/openapi.json",
  "CHANGELOG.md",
  "scripts/docs/**/*.*",
];

if (import.meta.main) await buildDocs();

export async function buildDocs(): Promise<void> {
  const sources = new Map<string, Buffer>();
  for (const path of globSync([...SOURCES, "package-lock.json"]).toSorted()) sources.set(path, await readFile(path));
  const hash = createHash("sha256");
  for (const [path, bytes] of sources) hash.update(`${path} ${bytes.length} `).update(bytes);
  const stamp = hash.digest("hex");
  if ((await readFile(STAMP, "utf8").catch(() => "")) === stamp) return;
  await writeSite(await buildSite(sources));
  await writeFile(STAMP, stamp);
}

/** Replaces each file in one step, because another start may build or serve the same site. */
async function writeSite(files: ReadonlyMap<string, string>): Promise<void> {
  for (const [path, text] of files) {
    const target = join(OUT, path);
    if ((await readFile(target, "utf8").catch(() => null)) === text) continue;
    await mkdir(dirname(target), { recursive: true });
    const written = `${OUT}-${process.pid}.part`;
    await writeFile(written, text);
    await rename(written, target);
  }
  const kept = new Set([...files.keys()].map((path) => join(OUT, path)));
  const there = globSync(`${OUT}/**/*`, { withFileTypes: true }).filter((entry) => entry.isFile());
  for (const entry of there) {
    const path = join(entry.parentPath, entry.name);
    if (!kept.has(path)) await rm(path, { force: true });
  }
}
