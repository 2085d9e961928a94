// wrangler.toml as deployed: for one environment, and with the modules of the build.
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { experimental_readRawConfig as readRawConfig, type Unstable_RawConfig as RawConfig } from "wrangler";
import { readSettings, StartError } from "../start/settings.ts";

export const OUT = "dist";
export const CONFIG_FILE = "wrangler.toml";
/** The configuration that `npm run build` writes and `wrangler deploy` uses. */
export const BUILT_CONFIG = join(OUT, "wrangler.json");

/** Makes `wrangler deploy` use the built configuration instead of wrangler.toml. */
const REDIRECT = ".wrangler/deploy/config.json";
/** The environment that commands work on: null for production. */
export const environment = (): string | null => process.env["CLOUDFLARE_ENV"] || null;

export const readDeployedConfig = (): RawConfig =>
  configFor(readRawConfig({ config: CONFIG_FILE }).rawConfig, environment());

/**
 * The settings of an environment. Throws if wrangler.toml does not contain the environment.
 * An environment of wrangler must repeat every binding. So `[env.<name>]` contains only differences, and this function
 * renames the resources and removes their ids.
 */
export function configFor(config: RawConfig, name: string | null): RawConfig {
  const { env = {}, ...shared } = config;
  if (name === null) return shared;
  const own = env[name];
  if (own === undefined) throw new Error(`${CONFIG_FILE} has no [env.${name}].`);
  const inherited = Object.entries(shared).filter(([key]) => key === "vars" || !Object.hasOwn(own, key));
  const renamed: RawConfig = JSON.parse(JSON.stringify(Object.fromEntries(inherited)), (key, value) =>
    renameResource(key, value, shared.name ?? "", name),
  );
  return { ...renamed, ...own, vars: { ...shared.vars, ...own.vars } };
}

/** Removes settings of production's own addresses and resources, so that wrangler uses its defaults. */
const NOT_SHARED = ["workers_dev", "database_id", "id", "preview_database_id", "preview_id", "routes", "route"];
const RESOURCE_NAMES = ["database_name", "bucket_name", "queue", "dead_letter_queue"];

/** The names of all resources begin with the name of the Worker. */
function renameResource(key: string, value: unknown, worker: string, environmentName: string): unknown {
  if (NOT_SHARED.includes(key)) return undefined;
  // Environments need different numbers, because Workers of one account with the same number share a limit.
  if (key === "namespace_id") return `2${String(value)}`;
  // `name` is also the name of bindings, which differ from the Worker's name.
  const isResource = RESOURCE_NAMES.includes(key) || (key === "name" && value === worker);
  if (!isResource || typeof value !== "string") return value;
  if (!value.startsWith(worker))
    throw new StartError(
      `${CONFIG_FILE}: the ${key} "${value}" does not begin with "${worker}", so ${environmentName} would share the resource with production. Rename the resource, or set its list in [env.${environmentName}].`,
    );
  return `${worker}-${environmentName}${value.slice(worker.length)}`;
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
