// wrangler.toml as deployed: for one environment, and with the modules of the build.
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { experimental_readRawConfig as readRawConfig, type Unstable_RawConfig as RawConfig } from "wrangler";
import { readSettings } from "../start/settings.ts";

export const OUT = "dist";
export const CONFIG_FILE = "wrangler.toml";
/** The configuration that `npm run build` writes and `wrangler deploy` uses. */
export const BUILT_CONFIG = join(OUT, "wrangler.json");

/** Makes `wrangler deploy` use the built configuration instead of wrangler.toml. */
const REDIRECT = ".wrangler/deploy/config.json";
/** All resources have names with this prefix. */
const PREFIX = "tidings";

/** The environment of the command. Null for production. */
export const environment = (): string | null => process.env["CLOUDFLARE_ENV"] || null;

export const readDeployedConfig = (): RawConfig =>
  configFor(readRawConfig({ config: CONFIG_FILE }).rawConfig, environment());

/**
 * The settings of an environment. Throws if wrangler.toml does not contain the environment.
 * An environment of wrangler must repeat every binding. So `[env.<name>]` contains only differences, and this function
 * renames the resources and removes their ids.
 */
function configFor(config: RawConfig, name: string | null): RawConfig {
  const { env = {}, ...shared } = config;
  if (name === null) return shared;
  const own = env[name];
  if (own === undefined) throw new Error(`${CONFIG_FILE} has no [env.${name}].`);
  const renamed: RawConfig = JSON.parse(JSON.stringify(shared), (key, value) => renameResource(key, value, name));
  return { ...renamed, ...own, vars: { ...shared.vars, ...own.vars } };
}

function renameResource(key: string, value: unknown, environmentName: string): unknown {
  if (["database_id", "id", "preview_database_id", "preview_id", "routes", "route"].includes(key)) return undefined;
  // Two Workers of one account share a rate limit if the limit has the same number in both.
  if (key === "namespace_id") return `2${String(value)}`;
  const isResource = ["name", "database_name", "bucket_name", "queue", "dead_letter_queue"].includes(key);
  if (!isResource || typeof value !== "string" || !value.startsWith(PREFIX)) return value;
  return `${PREFIX}-${environmentName}${value.slice(PREFIX.length)}`;
}

/** Writes the configuration for the modules in `dist/worker`. Its paths are relative to dist. */
export async function writeBuiltConfig(): Promise<void> {
  const { assets, d1_databases = [], ...rest } = readDeployedConfig();
  const name = environment();
  const built: RawConfig = {
    ...rest,
    $schema: "../node_modules/wrangler/config-schema.json",
    main: "worker/index.js",
    no_bundle: true,
    // `wrangler deploy` runs this build first, so that it never uploads an old build.
    build: { command: `${name === null ? "" : `CLOUDFLARE_ENV=${name} `}npm run --silent build` },
    rules: [{ type: "ESModule", globs: ["**/*.js"] }],
    assets: { ...assets, directory: relative(OUT, assets?.directory ?? "") },
    d1_databases: d1_databases.map((database) => ({
      ...database,
      migrations_dir: relative(OUT, database.migrations_dir ?? "migrations"),
    })),
  };
  for (const applied of ["alias", "minify", "keep_names"] as const) delete built[applied]; // esbuild has already done this
  await mkdir(OUT, { recursive: true });
  await writeFile(BUILT_CONFIG, JSON.stringify(built, null, 2));
  await mkdir(dirname(REDIRECT), { recursive: true });
  await writeFile(REDIRECT, JSON.stringify({ configPath: relative(dirname(REDIRECT), BUILT_CONFIG) }));
}

/** The databases of the environment. The control database comes first. */
export function databases(): { binding: string; database_name: string }[] {
  return (readDeployedConfig().d1_databases ?? []).map(({ binding, database_name }) => {
    if (database_name === undefined) throw new Error(`${CONFIG_FILE}: database ${binding} has no database_name.`);
    return { binding, database_name };
  });
}

export const localDatabases = (stateDir: string): string[] => ["--local", "--persist-to", stateDir];

/**
 * Wrangler's options for databases: with `--remote` the databases at Cloudflare, otherwise the databases of `npm
 * start`.
 */
export const whereIs = (): string[] =>
  process.argv.includes("--remote") ? ["--remote"] : localDatabases(readSettings(process.env).stateDir);
