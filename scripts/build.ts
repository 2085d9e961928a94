// `npm run build` builds the Worker to dist/worker, as modules that load on first use. Wrangler would write one file,
// and each new isolate would compile the whole file.
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { build, type Metafile } from "esbuild";
import { OUT, readDeployedConfig, writeBuiltConfig } from "./deploy/config.ts";
import { buildDocs } from "./docs/build.ts";

const config = readDeployedConfig();

if (import.meta.main) {
  await buildDocs();
  await rm(join(OUT, "worker"), { recursive: true, force: true });
  await bundle(config.main ?? "", join(OUT, "worker"));
  await writeBuiltConfig();
}

/**
 * Bundles a Worker as modules. Without `splitting`, bundles it as one module. Returns the imports of each output file.
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
