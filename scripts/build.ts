// `npm run build` builds the Worker to dist/worker, as modules that are loaded on first use. Wrangler would
// write one file, which each new isolate would have to compile as a whole.
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { build, type Metafile } from "esbuild";
import { environmentName, OUT, readDeployedConfig, writeBuiltConfig } from "./deploy/config.ts";
import { printFaults } from "./deploy/faults.ts";
import { buildDocs } from "./docs/build.ts";
import { StartError } from "./start/settings.ts";

if (import.meta.main) printFaults();
const config = readDeployedConfig();

if (import.meta.main) {
  assertEnvironment();
  await buildDocs();
  await rm(join(OUT, "worker"), { recursive: true, force: true });
  await bundle(config.main ?? "", join(OUT, "worker"));
  await writeBuiltConfig();
}

/**
 * Throws if wrangler builds for a different environment than dist/wrangler.json, whose settings it has already
 * read.
 */
function assertEnvironment(): void {
  const builtFor = parseArgs({ options: { for: { type: "string" } } }).values.for;
  if (builtFor === undefined || builtFor === environmentName()) return;
  throw new StartError(
    `The last build is for ${builtFor}, and CLOUDFLARE_ENV selects ${environmentName()}. Run \`npm run build\` with the same CLOUDFLARE_ENV first.`,
  );
}

/** Bundles a Worker as modules, or without `splitting` as one module. Returns the imports of each output. */
export async function bundle(entry: string, outdir: string, { splitting = true } = {}): Promise<Metafile["outputs"]> {
  const { metafile } = await build({
    entryPoints: [entry],
    outdir,
    bundle: true,
    splitting,
    format: "esm",
    target: "es2024",
    conditions: ["workerd", "worker", "browser"],
    define: { "process.env.NODE_ENV": '"production"', "navigator.userAgent": '"Cloudflare-Workers"' },
    external: ["cloudflare:*", "node:*"],
    loader: { ".css": "text", ".client.js": "text", ".min.js": "text" },
    alias: config.alias ?? {},
    minify: true,
    sourcemap: true,
    metafile: true,
    logLevel: "warning",
  });
  return metafile.outputs;
}
