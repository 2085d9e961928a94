// Combines the parts of the site. Bundles the page renderer first, because it is written in JSX.
import { randomUUID } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import type { Sources } from "./site.tsx";

/** Allows only the site's own files: no inline scripts or styles, no other host. */
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

/** Loads the page renderer. */
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

/** Scripts and the stylesheet by path. Each name contains a hash of the content. */
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

/** All files of the site, from its source files. */
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
