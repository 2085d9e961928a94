// `npm run build`: builds the Worker to dist/worker as modules that load on first use. Wrangler's own bundle is a single file,
// which a new isolate compiles completely.
import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { build, type Metafile } from "esbuild";
import { experimental_readRawConfig as readRawConfig, type Unstable_RawConfig as RawConfig } from "wrangler";
import { buildDocs } from "./docs/build.ts";

const OUT = "dist";
const CONFIG = join(OUT, "wrangler.json");
/** Redirects `wrangler deploy` from wrangler.toml to the configuration of the build. */
const REDIRECT = ".wrangler/deploy/config.json";

const config = readRawConfig({ config: "wrangler.toml" }).rawConfig;

if (import.meta.main) {
  await buildDocs();
  await rm(join(OUT, "worker"), { recursive: true, force: true });
  await bundle(config.main ?? "", join(OUT, "worker"));
  await writeFile(CONFIG, JSON.stringify(builtConfig(config), null, 2));
  await mkdir(dirname(REDIRECT), { recursive: true });
  await writeFile(REDIRECT, JSON.stringify({ configPath: relative(dirname(REDIRECT), CONFIG) }));
}

/** Bundles a Worker as modules, or as one module without `splitting`. Returns the imports of each output. */
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

/** wrangler.toml with the bundled modules, and with paths relative to dist. */
function builtConfig({ assets, d1_databases = [], ...rest }: RawConfig): object {
  return {
    ...rest,
    alias: undefined, // the bundler has already applied this and the next two
    minify: undefined,
    keep_names: undefined,
    $schema: "../node_modules/wrangler/config-schema.json",
    main: "worker/index.js",
    no_bundle: true,
    build: { command: "npm run --silent build" }, // so that `wrangler deploy` alone never uploads an old build
    rules: [{ type: "ESModule", globs: ["**/*.js"] }],
    assets: { ...assets, directory: relative(OUT, assets?.directory ?? "") },
    d1_databases: d1_databases.map((database) => ({
      ...database,
      migrations_dir: relative(OUT, database.migrations_dir ?? "migrations"),
    })),
  };
}
