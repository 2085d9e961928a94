// wrangler.toml as it is deployed: with the resources of an environment, and the modules of the build.
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { parseArgs } from "node:util";
import { experimental_readRawConfig as readRawConfig, type Unstable_RawConfig as RawConfig } from "wrangler";
import { readSettings, StartError } from "../start/settings.ts";

export const OUT = "dist";
export const CONFIG_FILE = "wrangler.toml";
/** The deployed configuration, made by `npm run build`. */
export const BUILT_CONFIG = join(OUT, "wrangler.json");

/** Redirects `wrangler deploy` from wrangler.toml to the configuration of the build. */
const REDIRECT = ".wrangler/deploy/config.json";
/** The names of all resources begin with this prefix. */
const PREFIX = "tidings";

/** The environment that commands work on: null for production. Wrangler's own variable is hidden from wrangler: see runWrangler. */
export const environment = (): string | null => (process.env["DEPLOYED_ENV"] ?? process.env["CLOUDFLARE_ENV"]) || null;

/** The environment, as messages name it. */
export const environmentName = (): string => environment() ?? "production";

/** What to type before a command that is repeated for this environment. */
export const commandPrefix = (): string => (environment() === null ? "" : `CLOUDFLARE_ENV=${environment()} `);

/** wrangler.toml for the current environment. */
export const readDeployedConfig = (): RawConfig =>
  configFor(readRawConfig({ config: CONFIG_FILE }).rawConfig, environment());

/**
 * The settings of an environment. Wrangler's environments must repeat every binding, so our `[env.<name>]` contains
 * only differences. The code renames the resources and removes their ids. Throws if wrangler.toml does not contain the
 * environment.
 */
function configFor(config: RawConfig, name: string | null): RawConfig {
  const { env = {}, ...shared } = config;
  if (name === null) return shared;
  const own = env[name];
  if (own === undefined) throw new StartError(`${CONFIG_FILE} has no [env.${name}].`);
  const renamed: RawConfig = JSON.parse(JSON.stringify(shared), (key, value) => renameResource(key, value, name));
  return { ...renamed, ...own, vars: { ...shared.vars, ...own.vars } };
}

function renameResource(key: string, value: unknown, suffix: string): unknown {
  if (["database_id", "id", "preview_database_id", "preview_id", "routes", "route"].includes(key)) return undefined;
  // Environments need different numbers, because Workers of one account with the same number share a limit.
  if (key === "namespace_id") return `2${String(value)}`;
  const isResource = ["name", "database_name", "bucket_name", "queue", "dead_letter_queue"].includes(key);
  if (!isResource || typeof value !== "string" || !value.startsWith(PREFIX)) return value;
  return `${PREFIX}-${suffix}${value.slice(PREFIX.length)}`;
}

/** Writes the configuration for the modules in `dist/worker`, with paths relative to dist. */
export async function writeBuiltConfig(): Promise<void> {
  const { assets, d1_databases = [], ...rest } = readDeployedConfig();
  const built: RawConfig = {
    ...rest,
    $schema: "../node_modules/wrangler/config-schema.json",
    main: "worker/index.js",
    no_bundle: true,
    // `wrangler deploy` runs this build, so that it never uploads an old one. It fails in another environment, because
    // wrangler has already read the names and bindings of this one.
    build: { command: `npm run --silent build -- --for ${environmentName()}` },
    rules: [{ type: "ESModule", globs: ["**/*.js"] }],
    assets: { ...assets, directory: relative(OUT, assets?.directory ?? "") },
    d1_databases: d1_databases.map((database) => ({
      ...database,
      migrations_dir: relative(OUT, database.migrations_dir ?? "migrations"),
    })),
  };
  for (const applied of ["alias", "minify", "keep_names"] as const) delete built[applied]; // already applied by the bundler
  await mkdir(OUT, { recursive: true });
  await writeFile(BUILT_CONFIG, JSON.stringify(built, null, 2));
  await mkdir(dirname(REDIRECT), { recursive: true });
  await writeFile(REDIRECT, JSON.stringify({ configPath: relative(dirname(REDIRECT), BUILT_CONFIG) }));
}

/** The databases of the current environment. */
export function databases(): { binding: string; database_name: string }[] {
  return (readDeployedConfig().d1_databases ?? []).map(({ binding, database_name }) => {
    if (database_name === undefined) throw new StartError(`${CONFIG_FILE}: database ${binding} has no database_name.`);
    return { binding, database_name };
  });
}

/** The name of the control database. */
export function controlDatabase(): string {
  const names = new Map(databases().map(({ binding, database_name }) => [binding, database_name]));
  const name = names.get("CONTROL") ?? names.get("DB");
  if (name === undefined) throw new StartError(`${CONFIG_FILE} has no database with the binding DB.`);
  return name;
}

/** Where `wrangler dev` stores its databases. */
export const localDatabases = (stateDir: string): string[] => ["--local", "--persist-to", stateDir];

/** The option of commands for databases. */
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

/** Names the databases of a command in its output. */
export const databasesAt = (where: readonly string[]): string =>
  where.includes("--remote") ? `databases of ${environmentName()} at Cloudflare` : "local databases";
