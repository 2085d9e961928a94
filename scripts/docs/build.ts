// `npm run docs` builds the documentation site to dist/site if a source has changed. Wrangler runs this command before
// it builds the Worker.
import { createHash, randomUUID } from "node:crypto";
import { globSync } from "node:fs";
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import type { Sources } from "./site.tsx";

const OUT = "dist/site";
/** This file is outside `OUT`, because all files in `OUT` are public. */
const STAMP = "dist/site.sha256";

export const SOURCES = [
  "docs/guides/*.md",
  "docs/*.md",
  "sdk/README.md",
  "sdk/openapi.json",
  "CHANGELOG.md",
  "scripts/docs/**/*.*",
];

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

/** Replaces each file in one step, because another `npm start` may be serving the site at the same time. */
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

/** Allows only files of the site itself: no inline scripts or styles, and nothing from another host. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const HEADERS = `/*
  Strict-Transport-Security: max-age=31536000
  Content-Security-Policy: ${POLICY}
  X-Content-Type-Options: nosniff
  Referrer-Policy: same-origin
  Cross-Origin-Opener-Policy: same-origin
  Cross-Origin-Resource-Policy: same-origin
  X-Frame-Options: DENY
/docs/assets/*
  ! Cache-Control
  Cache-Control: public, max-age=31536000, immutable
/docs/*.md
  Content-Type: text/markdown; charset=utf-8
`;

type Render = (typeof import("./site.tsx"))["makeSite"];

async function loadRenderer(): Promise<Render> {
  const outfile = resolve(`dist/site-renderer-${randomUUID()}.mjs`);
  await build({
    entryPoints: ["scripts/docs/site.tsx"],
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    packages: "external",
    jsx: "automatic",
    jsxImportSource: "hono/jsx",
    logLevel: "warning",
  });
  try {
    const { makeSite } = await import(pathToFileURL(outfile).href);
    return makeSite;
  } finally {
    await rm(outfile);
  }
}

/** The scripts and the stylesheet, by path. The file names contain a hash of the content. */
async function buildAssets() {
  const { outputFiles } = await build({
    entryPoints: {
      docs: "scripts/docs/client/docs.ts",
      theme: "scripts/docs/client/theme.ts",
      style: "scripts/docs/styles/docs.css",
    },
    outdir: "dist/site/docs/assets",
    entryNames: "[name]-[hash]",
    chunkNames: "[name]-[hash]",
    bundle: true,
    minify: true,
    splitting: true,
    format: "esm",
    target: "es2024",
    write: false,
    logLevel: "warning",
  });
  const files = new Map(outputFiles.map(({ path, text }) => [`docs/assets/${basename(path)}`, text]));
  const named = (name: string) => `/${[...files.keys()].find((path) => basename(path).startsWith(`${name}-`)) ?? ""}`;
  return { files, names: { script: named("docs"), theme: named("theme"), style: named("style") } };
}

export async function buildSite(sources: ReadonlyMap<string, Buffer>): Promise<Map<string, string>> {
  await mkdir("dist", { recursive: true });
  const [makeSite, { files, names }] = await Promise.all([loadRenderer(), buildAssets()]);
  const markdown = new Map(
    [...sources].filter(([path]) => path.endsWith(".md")).map(([path, bytes]) => [path, bytes.toString()]),
  );
  const openapi: unknown = JSON.parse(sources.get("sdk/openapi.json")?.toString() ?? "{}");
  const given: Sources = { openapi, markdown, assets: names };
  return new Map([...files, ...makeSite(given), ["_headers", HEADERS]]);
}

if (import.meta.main) await buildDocs();
