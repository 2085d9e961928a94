// `npm run types [-- --check]` writes the types of the bindings. Reads wrangler.toml without its environments,
// because wrangler makes a binding optional if an environment does not repeat it.
import { mkdir, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { readDeployedConfig } from "./deploy/config.ts";
import { runNode, wrangler } from "./wrangler.ts";

const FOLDER = ".wrangler";
const config = readDeployedConfig();
await mkdir(FOLDER, { recursive: true });
const bindings = { ...config, main: relative(FOLDER, config.main ?? ""), $schema: undefined };
await writeFile(join(FOLDER, "bindings.json"), JSON.stringify(bindings));
// Runs in the folder of the configuration, where both resolve `--env-file` to the same path: Node resolves it
// from the current folder, and wrangler from the configuration.
const args = [
  "types",
  "../src/worker-configuration.d.ts",
  "--config",
  "bindings.json",
  "--env-file",
  "../.dev.vars.example",
];
const options = [
  "--include-runtime=false",
  "--strict-vars=false",
  ...(process.argv.includes("--check") ? ["--check"] : []),
];
await runNode(wrangler(...args, ...options), { name: "wrangler types", cwd: FOLDER });
