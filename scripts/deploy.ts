// `npm run deploy [-- --location weur] [--wait 120]` creates databases, migrates them and deploys the Worker.
// You can repeat it. It waits up to `--wait` seconds for the deployment to respond. Set CLOUDFLARE_ENV=staging to
// deploy `staging`.
import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import {
  BUILT_CONFIG,
  CONFIG_FILE,
  databases,
  environment,
  readDeployedConfig,
  writeBuiltConfig,
} from "./deploy/config.ts";
import { createFirstKey } from "./deploy/first-key.ts";
import { assertControlIsBound, moveControlTables } from "./deploy/move-control.ts";
import { addCleanup } from "./interruptions.ts";
import { migrateRemote } from "./migrate.ts";
import { runWrangler } from "./wrangler.ts";

const { location, wait } = parseArgs({
  options: { location: { type: "string" }, wait: { type: "string", default: "120" } },
}).values;

await createDatabases();
await migrateRemote();
await writeBuiltConfig();
const added = await missingSecrets();
const isFirst = added["ADMIN_TOKEN"] !== undefined;
await moveControlTables(["--remote"]); // last, because the previous version still writes to DB
let url = await deploy(added);
if (isFirst) console.log(`\nADMIN_TOKEN ${added["ADMIN_TOKEN"]}\n  Store the token. It is not shown again.\n`);
if (await setPublicUrl(url)) {
  await writeBuiltConfig();
  url = await deploy({});
}
console.log(`Deployed to ${url}, documentation at ${url}/docs.`);
if (!(await isHealthy(url))) console.log(`${url}/health does not return 200 yet. A new address takes some minutes.`);
else if (isFirst) console.log(await createFirstKey(url, added["ADMIN_TOKEN"] ?? ""));

/** Creates missing databases. They must exist before the deployment, because migrations run before it. */
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
    // Only this error proves that the Worker has no secrets. A new key for an existing Worker would make its data
    // unreadable.
    if (error instanceof Error && /Worker "[^"]+" not found/.test(error.message)) return [];
    throw error;
  }
}

async function deploy(secrets: Record<string, string>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "tidings-deploy-"));
  addCleanup(() => rmSync(folder, { recursive: true, force: true }));
  try {
    const [output, secretsFile] = [join(folder, "output.ndjson"), join(folder, "secrets.json")];
    await writeFile(secretsFile, JSON.stringify(secrets), { mode: 0o600 });
    const options = Object.keys(secrets).length > 0 ? ["--secrets-file", secretsFile] : [];
    await runWrangler(["deploy", "--config", BUILT_CONFIG, "--x-auto-create", ...options], {
      WRANGLER_OUTPUT_FILE_PATH: output,
    });
    return addressIn(await readFile(output, "utf8"));
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The custom domain. Without one, the address at workers.dev. */
function addressIn(output: string): string {
  const entries: { type: string; targets?: string[] }[] = output
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const targets = entries.findLast(({ type }) => type === "deploy")?.targets ?? [];
  const domain = targets.find((target) => target.endsWith(" (custom domain)"))?.split(" ")[0];
  const address = domain === undefined ? targets.find((target) => target.startsWith("https://")) : `https://${domain}`;
  if (address === undefined) throw new Error(`The deployment has no address: ${targets.join(", ") || "no targets"}.`);
  return address;
}

/** Writes the address to wrangler.toml if PUBLIC_URL is empty. Providers download files from this address. */
async function setPublicUrl(address: string): Promise<boolean> {
  if (readDeployedConfig().vars?.["PUBLIC_URL"] !== "") return false;
  const text = await readFile(CONFIG_FILE, "utf8");
  const start = environment() === null ? 0 : text.indexOf(`[env.${environment()}]`);
  const settings = text.slice(start).replace('PUBLIC_URL = ""', `PUBLIC_URL = "${address}"`);
  await writeFile(CONFIG_FILE, text.slice(0, start) + settings);
  console.log(`${CONFIG_FILE}: PUBLIC_URL set to ${address}. Commit the change.`);
  return true;
}

/** The address of a new Worker takes up to a minute to reach every location. */
async function isHealthy(address: string): Promise<boolean> {
  const deadline = Date.now() + Number(wait) * 1000;
  while (Date.now() < deadline) {
    const response = await fetch(`${address}/health`).catch(() => null);
    if (response?.ok) return true;
    await sleep(2_000);
  }
  return false;
}
