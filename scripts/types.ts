// `npm run types [-- --check]` writes the types of the bindings. wrangler makes a binding optional if one environment
// in wrangler.toml does not repeat it. So this script gives wrangler a copy of the configuration without environments.
import { mkdir, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { readDeployedConfig } from "./deploy/config.ts";
import { runNode, wrangler } from "./wrangler.ts";

const FOLDER = ".wrangler";
const config = readDeployedConfig();
await mkdir(FOLDER, { recursive: true });
const bindings = { ...config, main: relative(FOLDER, config.main ?? ""), $schema: undefined };
await writeFile(join(FOLDER, "bindings.json"), JSON.stringify(bindings));
// Node and wrangler both read `--env-file`. Node resolves its path from the current folder, and wrangler resolves it
// from the folder of the configuration. So the command runs in that folder, where both find the same file.
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
