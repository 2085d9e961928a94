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
 * `wrangler deploy` first reads dist/wrangler.json. Then it runs this build with `--for` and the environment of that
 * file. Throws if another environment is selected now, because wrangler would deploy this build with the names and
 * bindings of the wrong environment.
 */
function assertEnvironment(): void {
  const builtFor = parseArgs({ options: { for: { type: "string" } } }).values.for;
  if (builtFor === undefined || builtFor === environmentName()) return;
  throw new StartError(
    `The last build is for ${builtFor}, and CLOUDFLARE_ENV selects ${environmentName()}. Run \`npm run build\` with the same CLOUDFLARE_ENV first.`,
  );
}

/**
 * Bundles a Worker into several modules, or into one module if `splitting` is false. Returns esbuild's description of
 * each output file, which lists its imports.
 */
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
