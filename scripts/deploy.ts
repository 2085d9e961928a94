// `npm run deploy [-- --location weur] [--wait 120]` creates the databases, migrates them and deploys the
// Worker. It can be repeated. After the upload, it waits up to `--wait` seconds until the deployment responds.
// To deploy `staging`, set CLOUDFLARE_ENV=staging.
import { randomBytes } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import {
  BUILT_CONFIG,
  commandPrefix,
  CONFIG_FILE,
  controlDatabase,
  databases,
  environment,
  readDeployedConfig,
  writeBuiltConfig,
} from "./deploy/config.ts";
import { printFaults } from "./deploy/faults.ts";
import { createFirstKey } from "./deploy/first-key.ts";
import { assertControlIsBound, moveControlTables } from "./deploy/move-control.ts";
import { withPublicUrl } from "./deploy/public-url.ts";
import { inTemporaryFolder } from "./interruptions.ts";
import { migrateRemote } from "./migrate.ts";
import { StartError } from "./start/settings.ts";
import { queryD1, runWrangler } from "./wrangler.ts";

const LOCATIONS = ["weur", "eeur", "wnam", "enam", "apac", "oc"];

printFaults();
const { location, wait, mayPrintSecrets } = readOptions();
// The checks come before the first change at Cloudflare. They throw if wrangler.toml does not contain the environment,
// if it has no line for PUBLIC_URL, or if the command would print new secrets to an output that is not private.
const needsPublicUrl = readDeployedConfig().vars?.["PUBLIC_URL"] === "";
if (needsPublicUrl) await textWithPublicUrl("");
await writeBuiltConfig();
const added = await missingSecrets();
if (Object.keys(added).length > 0 && !mayPrintSecrets) throw new StartError(secretsHint(Object.keys(added)));
await createDatabases();
await migrateRemote();
// The secrets are printed before the upload. If the command stopped between the upload and the output, the secrets
// would be lost, because Cloudflare does not show them.
printSecrets(added);
// The control tables are copied right before the upload, because the previous version writes to DB until then.
await moveControlTables(["--remote"]);
let url = await deploy(added);
if (needsPublicUrl) {
  await setPublicUrl(url);
  await writeBuiltConfig();
  url = await deploy({});
}
console.log(`Deployed to ${url}, documentation at ${url}/docs.`);
const healthy = await isHealthy(url);
if (!healthy) console.log(`${url}/health does not return 200 yet. A new address takes some minutes.`);
if (await hasNoKey()) await createKey(url, healthy, added["ADMIN_TOKEN"] ?? process.env["ADMIN_TOKEN"]);

function readOptions(): { location: string | undefined; wait: string; mayPrintSecrets: boolean } {
  const { help, ...options } = parseArgs({
    options: {
      help: { type: "boolean", short: "h" },
      location: { type: "string" },
      wait: { type: "string", default: "120" },
      "print-secrets": { type: "boolean", default: false },
    },
  }).values;
  if (help === true) {
    console.log(`Usage: [CLOUDFLARE_ENV=staging] npm run deploy [-- --location weur] [--wait 120]
  --location       region of new databases: ${LOCATIONS.join(", ")}
  --wait           seconds to wait until the deployment responds
  --print-secrets  print new secrets and the first API key also if the output is not a terminal`);
    process.exit(0);
  }
  const { location: region } = options;
  if (region !== undefined && !LOCATIONS.includes(region))
    throw new StartError(`--location must be one of ${LOCATIONS.join(", ")}, not "${region}".`);
  // A build service stores the output, so it is not private. Some build services use a terminal, but they also set CI.
  const isPrivate = process.stdout.isTTY && !process.env["CI"];
  return { location: region, wait: options.wait, mayPrintSecrets: options["print-secrets"] || isPrivate };
}

function secretsHint(names: string[]): string {
  const put = names.map((name) => `  npx wrangler secret put ${name} --name ${readDeployedConfig().name}\n`);
  return `The Worker has no ${names.join(" and no ")}. This command would print new values, and the output is not a terminal.
Run the first deployment from your machine, or set the secrets there (ENCRYPTION_KEY: openssl rand -base64 32):

${put.join("")}
To print new values here, use npm run deploy -- --print-secrets.`;
}

function printSecrets(secrets: Record<string, string>): void {
  const lines = Object.entries(secrets).map(([name, value]) => `${name} ${value}\n`);
  if (lines.length === 0) return;
  console.log(`\n${lines.join("")}  Store these values now. Cloudflare does not show them again, and a backup is unreadable without its
  ENCRYPTION_KEY. If this command fails and the next run prints other values, store those instead.\n`);
}

/**
 * Queries the database even after the first deployment, because an earlier run may have stopped after the upload but
 * before it created the key.
 */
async function hasNoKey(): Promise<boolean> {
  return (await queryD1(controlDatabase(), ["--remote"], ["SELECT 1 FROM api_keys LIMIT 1"])).length === 0;
}

async function createKey(address: string, isReady: boolean, adminToken: string | undefined): Promise<void> {
  if (isReady && adminToken !== undefined && mayPrintSecrets) console.log(await createFirstKey(address, adminToken));
  else
    console.log(`There is no API key yet. To create a workspace with a key, run this command in a terminal:

  ${commandPrefix()}ADMIN_TOKEN=<the printed token> npm run deploy

If you do not have the token, set another: npx wrangler secret put ADMIN_TOKEN --name ${readDeployedConfig().name}`);
}

async function createDatabases(): Promise<void> {
  const existing: { name: string }[] = JSON.parse(await runWrangler(["d1", "list", "--json"]));
  assertControlIsBound(existing);
  for (const { database_name: name } of databases()) {
    if (existing.some((each) => each.name === name)) continue;
    await runWrangler(["d1", "create", name, ...(location === undefined ? [] : ["--location", location])]);
    console.log(`Database ${name}: created${location === undefined ? " near this machine" : ` in ${location}`}`);
  }
}

async function missingSecrets(): Promise<Record<string, string>> {
  const names = await secretNames();
  const secrets = {
    ADMIN_TOKEN: randomBytes(32).toString("base64url"),
    ENCRYPTION_KEY: randomBytes(32).toString("base64"),
  };
  return Object.fromEntries(Object.entries(secrets).filter(([name]) => !names.includes(name)));
}

async function secretNames(): Promise<string[]> {
  try {
    const secrets: { name: string }[] = JSON.parse(
      await runWrangler(["secret", "list", "--format", "json", "--config", BUILT_CONFIG]),
    );
    return secrets.map(({ name }) => name);
  } catch (error) {
    // Only this error proves that there is no Worker yet, so it has no secrets. After any other error, the deployment
    // could replace the ENCRYPTION_KEY of an existing Worker, and its data could not be decrypted.
    if (error instanceof Error && /Worker "[^"]+" not found/.test(error.message)) return [];
    throw error;
  }
}

async function deploy(secrets: Record<string, string>): Promise<string> {
  return inTemporaryFolder("deploy", async (folder) => {
    const [output, secretsFile] = [join(folder, "output.ndjson"), join(folder, "secrets.json")];
    await writeFile(secretsFile, JSON.stringify(secrets), { mode: 0o600 });
    const options = Object.keys(secrets).length > 0 ? ["--secrets-file", secretsFile] : [];
    await runWrangler(["deploy", "--config", BUILT_CONFIG, "--x-auto-create", ...options], {
      WRANGLER_OUTPUT_FILE_PATH: output,
    });
    return addressIn(await readFile(output, "utf8"));
  });
}

/** Returns the custom domain, or the address at workers.dev if there is none. */
function addressIn(output: string): string {
  const entries: { type: string; targets?: string[] }[] = output
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const targets = entries.findLast(({ type }) => type === "deploy")?.targets ?? [];
  const domain = targets.find((target) => target.endsWith(" (custom domain)"))?.split(" ")[0];
  const address = domain === undefined ? targets.find((target) => target.startsWith("https://")) : `https://${domain}`;
  if (address === undefined)
    throw new StartError(`The deployment has no address: ${targets.join(", ") || "no targets"}.`);
  return address;
}

async function textWithPublicUrl(address: string): Promise<string> {
  return withPublicUrl(await readFile(CONFIG_FILE, "utf8"), environment(), address);
}

async function setPublicUrl(address: string): Promise<void> {
  await writeFile(CONFIG_FILE, await textWithPublicUrl(address));
  console.log(`${CONFIG_FILE}: PUBLIC_URL set to ${address}. Commit the change.`);
}

/** Polls for a while, because the address of a new Worker takes up to a minute to reach every location. */
async function isHealthy(address: string): Promise<boolean> {
  const deadline = Date.now() + Number(wait) * 1000;
  while (Date.now() < deadline) {
    const response = await fetch(`${address}/health`).catch(() => null);
    if (response?.ok) return true;
    await sleep(2_000);
  }
  return false;
}
