// Reads wrangler.toml with the settings of the selected environment. Also writes the configuration for
// `wrangler deploy`, which refers to the built modules.
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { parseArgs } from "node:util";
import { experimental_readRawConfig as readRawConfig, type Unstable_RawConfig as RawConfig } from "wrangler";
import { readSettings, StartError } from "../start/settings.ts";

export const OUT = "dist";
export const CONFIG_FILE = "wrangler.toml";
/** The configuration for `wrangler deploy`. `npm run build` writes it. */
export const BUILT_CONFIG = join(OUT, "wrangler.json");

/** This file makes `wrangler deploy` use the built configuration instead of wrangler.toml. */
const REDIRECT = ".wrangler/deploy/config.json";

/**
 * The environment that commands work on, or null for production. `runWrangler` does not pass CLOUDFLARE_ENV to
 * wrangler, because `BUILT_CONFIG` already contains the settings of the environment. If wrangler runs our build, the
 * build reads DEPLOYED_ENV instead.
 */
export const environment = (): string | null => (process.env["DEPLOYED_ENV"] ?? process.env["CLOUDFLARE_ENV"]) || null;

export const environmentName = (): string => environment() ?? "production";

/** The text to put before a command, so that it works on the same environment. */
export const commandPrefix = (): string => (environment() === null ? "" : `CLOUDFLARE_ENV=${environment()} `);

export const readDeployedConfig = (): RawConfig =>
  configFor(readRawConfig({ config: CONFIG_FILE }).rawConfig, environment());

/**
 * Returns the settings of an environment. Throws if wrangler.toml does not contain the environment.
 * Wrangler itself would require that `[env.<name>]` repeats every binding. Here, it contains only the settings that
 * differ, and this function copies the others from production. In the copy, it renames the resources and removes their
 * ids and production's addresses, because otherwise the environment would use production's data.
 */
export function configFor(config: RawConfig, name: string | null): RawConfig {
  const { env = {}, ...shared } = config;
  if (name === null) return shared;
  const own = env[name];
  if (own === undefined) throw new StartError(`${CONFIG_FILE} has no [env.${name}].`);
  const inherited = Object.entries(shared).filter(([key]) => key === "vars" || !Object.hasOwn(own, key));
  const renamed: RawConfig = JSON.parse(JSON.stringify(Object.fromEntries(inherited)), (key, value) =>
    renameResource(key, value, shared.name ?? "", name),
  );
  return { ...renamed, ...own, vars: { ...shared.vars, PUBLIC_URL: "", ...own.vars } };
}

/**
 * Settings that belong to production alone: its addresses and the ids of its resources. Without them, wrangler
 * uses its defaults.
 */
const NOT_SHARED = ["workers_dev", "database_id", "id", "preview_database_id", "preview_id", "routes", "route"];
const RESOURCE_NAMES = ["database_name", "bucket_name", "queue", "dead_letter_queue"];

/**
 * Returns the value of a setting for an environment. If the value is the name of a resource, adds the environment after
 * the name of the Worker. For example, `tidings-media` becomes `tidings-staging-media`.
 */
function renameResource(key: string, value: unknown, worker: string, suffix: string): unknown {
  if (NOT_SHARED.includes(key)) return undefined;
  // `namespace_id` identifies a rate limiter. Each environment needs a different one, because all Workers of an account
  // that use the same id share one limit.
  if (key === "namespace_id") return `2${String(value)}`;
  // `name` is the name of a resource only if its value is the name of the Worker. Otherwise, it is the name of a
  // binding.
  const isResource = RESOURCE_NAMES.includes(key) || (key === "name" && value === worker);
  if (!isResource || typeof value !== "string") return value;
  if (!value.startsWith(worker))
    throw new StartError(
      `${CONFIG_FILE}: the ${key} "${value}" does not begin with "${worker}", so ${suffix} would share the resource with production. Rename the resource, or set its list in [env.${suffix}].`,
    );
  return `${worker}-${suffix}${value.slice(worker.length)}`;
}

/** Writes the configuration for the modules in `dist/worker`. Paths in it are relative to dist. */
export async function writeBuiltConfig(): Promise<void> {
  const { assets, d1_databases = [], ...rest } = readDeployedConfig();
  const built: RawConfig = {
    ...rest,
    $schema: "../node_modules/wrangler/config-schema.json",
    main: "worker/index.js",
    no_bundle: true,
    // `wrangler deploy` runs this command first, so that it never uploads an old build. With `--for`, the build fails
    // if another environment is selected, because wrangler has already read the names and bindings of this environment.
    build: { command: `npm run --silent build -- --for ${environmentName()}` },
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

export function databases(): { binding: string; database_name: string }[] {
  return (readDeployedConfig().d1_databases ?? []).map(({ binding, database_name }) => {
    if (database_name === undefined) throw new StartError(`${CONFIG_FILE}: database ${binding} has no database_name.`);
    return { binding, database_name };
  });
}

export function controlDatabase(): string {
  const names = new Map(databases().map(({ binding, database_name }) => [binding, database_name]));
  const name = names.get("CONTROL") ?? names.get("DB");
  if (name === undefined) throw new StartError(`${CONFIG_FILE} has no database with the binding DB.`);
  return name;
}

/** Wrangler's options for the local databases, which `wrangler dev` stores in `stateDir`. */
export const localDatabases = (stateDir: string): string[] => ["--local", "--persist-to", stateDir];

export const remoteOption = { remote: { type: "boolean", default: false } } as const;

/**
 * Wrangler's options for the databases of a command: with `--remote` the databases at Cloudflare, otherwise the
 * databases of `npm start`. Throws for other options, because a mistyped `--remote` would change local databases.
 */
export function whereIs(isRemote = parseArgs({ options: remoteOption }).values.remote): string[] {
  if (isRemote) return ["--remote"];
  if (environment() !== null) throw new StartError("CLOUDFLARE_ENV works only with --remote.");
  return localDatabases(readSettings(process.env).stateDir);
}

export const databasesAt = (where: readonly string[]): string =>
  where.includes("--remote") ? `databases of ${environmentName()} at Cloudflare` : "local databases";
