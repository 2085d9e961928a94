import { spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import * as z from "zod";
import { moveControlTables } from "../../../scripts/deploy/move-control.ts";
import { runNode, wrangler } from "../../../scripts/wrangler.ts";
import { CloudflareApi } from "./cloudflare.ts";
import { migratedDatabase } from "./databases.ts";
import { linkProject } from "../linked-project.ts";
import { listen } from "../provider-server.ts";
import { makeStateDir, newStateDir } from "../service.ts";

const STAGING_URL = "https://staging.example.com";
const api = new CloudflareApi();
const { dir: project, remove } = newStateDir();
let url = "";

/** The deployed Workers: it accepts every request. */
const requests: string[] = [];
const deployedWorker = createServer((request, response) => {
  requests.push(`${request.method} ${request.url} ${request.headers.authorization ?? ""}`);
  response.end(JSON.stringify({ workspace: { id: "ws_1" }, connection: { id: "conn_1" }, key: "the first key" }));
});
/** Node's options to send requests for addresses below workers.dev to `deployedWorker`. */
let toWorker = "";

beforeAll(async () => {
  url = await api.start();
  const script = `const real = fetch;
    globalThis.fetch = (to, init) => real(String(to).replace(/^https:..[^/]*workers.dev/, "${await listen(deployedWorker)}"), init);`;
  toWorker = `--import=data:text/javascript,${encodeURIComponent(script)}`;
  linkProject(project);
  const file = join(project, "wrangler.toml");
  const settings = readFileSync(file, "utf8");
  writeFileSync(file, settings.replace('vars = { PUBLIC_URL = "" }', `vars = { PUBLIC_URL = "${STAGING_URL}" }`));
});
afterAll(async () => {
  await api.stop();
  deployedWorker.close();
  remove();
});

const account = () => ({
  CLOUDFLARE_API_BASE_URL: url,
  CLOUDFLARE_API_TOKEN: "token",
  CLOUDFLARE_ACCOUNT_ID: "account",
});
interface Deployment {
  wait?: string;
  adminToken?: string;
  options?: string[];
}

const deploy = (
  environment?: string,
  { wait = "0", adminToken, options = ["--print-secrets"] }: Deployment = {},
): Promise<string> =>
  runNode([resolve("scripts/deploy.ts"), "--location", "weur", "--wait", wait, ...options], {
    name: "npm run deploy",
    cwd: project,
    env: { ...account(), ADMIN_TOKEN: adminToken, CLOUDFLARE_ENV: environment, NODE_OPTIONS: toWorker },
  });

const varOf = (worker: string, name: string) => api.workers.get(worker)?.bindings.find((each) => each["name"] === name);
const countMigrations = (database: string) => api.query(database, "SELECT 1 FROM d1_migrations").length;
const kinds = ["direct", "campaign", "expand", "events", "statuses", "usage", "media", "jobs"];
const queueNames = (prefix: string) =>
  kinds.flatMap((kind) => (kind === "usage" ? [] : [`${prefix}-${kind}-dead`]).concat(`${prefix}-${kind}`));

it("A first deployment whose output is not a terminal creates nothing and prints no secret", async () => {
  const failed = await deploy(undefined, { options: [] }).catch(String);
  expect(failed).toContain("The Worker has no ADMIN_TOKEN and no ENCRYPTION_KEY.");
  expect(failed).toContain("npx wrangler secret put ADMIN_TOKEN --name tidings\n");
  expect(failed).not.toMatch(/(ADMIN_TOKEN|ENCRYPTION_KEY) \S{40}/);
  expect([api.databases.size, api.secrets.size, api.versions.length]).toEqual([0, 0, 0]);
});

it("A failed first deployment can be repeated: it migrates before it uploads, creates each resource and shows every secret", async () => {
  api.failing = "/import";
  await expect(deploy()).rejects.toThrow("The import was interrupted.");
  expect([api.databases.size, api.secrets.size]).toEqual([1, 0]);

  api.failing = "/schedules";
  const failed = await deploy().catch(String);
  const [token, key] = ["ADMIN_TOKEN", "ENCRYPTION_KEY"].map((name) => api.secrets.get(`tidings ${name}`) ?? "");
  for (const secret of [`ADMIN_TOKEN ${token}`, `ENCRYPTION_KEY ${key}`]) expect(failed).toContain(secret);

  const printed = await deploy(undefined, { wait: "60", adminToken: token ?? "" });
  expect(printed).toContain("API key the first key");
  expect(requests).toContain(`POST /manage/v1/workspaces Bearer ${token}`);
  expect(api.locations).toEqual(["weur"]);
  expect(countMigrations("tidings")).toBeGreaterThan(40);
  expect(api.query("tidings", "SELECT * FROM workspaces")).toEqual([]);
  expect(api.calls.findIndex((call) => call.endsWith("/import"))).toBeLessThan(
    api.calls.findIndex((call) => call.startsWith("PUT workers/scripts/tidings")),
  );
  expect([...api.queues].toSorted()).toEqual(queueNames("tidings").toSorted());
  expect([...api.buckets, ...api.namespaces]).toEqual(["tidings-media", "tidings-cache"]);
  expect(api.secrets.get("tidings ADMIN_TOKEN")).toBe(token);
  expect(Buffer.from(api.secrets.get("tidings ENCRYPTION_KEY") ?? "", "base64")).toHaveLength(32);
  const address = "https://tidings.example.workers.dev";
  expect(printed).toContain(`PUBLIC_URL set to ${address}`);
  expect(varOf("tidings", "PUBLIC_URL")).toMatchObject({ text: address });
  expect(readFileSync(join(project, "wrangler.toml"), "utf8")).toContain(`PUBLIC_URL = "${address}"`);
  expect(printed).toContain(`Deployed to ${address}`);
});

it("Staging has a Worker, database, queues, bucket and secrets of its own, and does not change production", async () => {
  const production = new Map(api.secrets);
  const printed = await deploy("staging", { wait: "60" });
  const token = api.secrets.get("tidings-staging ADMIN_TOKEN");
  expect(printed).toContain(`ADMIN_TOKEN ${token}`);
  expect(requests).toContain(`POST /manage/v1/workspaces Bearer ${token}`);
  expect(api.databases.has("tidings-staging")).toBe(true);
  expect([...api.queues]).toEqual(expect.arrayContaining(queueNames("tidings-staging")));
  expect(varOf("tidings-staging", "MEDIA")).toMatchObject({ bucket_name: "tidings-staging-media" });
  expect(varOf("tidings-staging", "PUBLIC_URL")).toMatchObject({ text: STAGING_URL });
  expect(varOf("tidings", "PUBLIC_URL")).toMatchObject({ text: "https://tidings.example.workers.dev" });
  expect(api.secrets.get("tidings-staging ENCRYPTION_KEY")).not.toBe(production.get("tidings ENCRYPTION_KEY"));
  expect(api.secrets.get("tidings ENCRYPTION_KEY")).toBe(production.get("tidings ENCRYPTION_KEY"));
});

const file = join(project, "wrangler.toml");
const control = `[[d1_databases]]\nbinding = "CONTROL"\ndatabase_name = "tidings-control"\nmigrations_dir = "drizzle"\n\n`;
const CONTROL_TABLES = ["workspaces", "members", "users", "api_keys"];
const rowsIn = (database: string) =>
  CONTROL_TABLES.map((table) => api.query(database, `SELECT * FROM ${table} ORDER BY 1, 2`));

it("A deployment that binds CONTROL copies all rows of the control tables, and none of the workspaces' data", async () => {
  api.execute(
    "tidings",
    `INSERT INTO workspaces (id, shard, name, plan, created_at) VALUES ('ws_1', 0, 'O''Brien;\n"Cafés"', 'growth', 1), ('ws_2', 0, 'B', 'scale', 2);
     INSERT INTO members (workspace_id, user_id, role, created_at) VALUES ('ws_1', 'usr_1', 'owner', 1);
     INSERT INTO api_keys (id, workspace_id, connection_id, hash, name, last_four, read_only, created_at) VALUES ('key_1', 'ws_1', 'conn_1', 'h', 'Key', 'abcd', 0, 1);
     WITH RECURSIVE numbers (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM numbers WHERE value < 5500)
     INSERT INTO users (id, name, email, email_verified, created_at, updated_at) SELECT 'usr_' || value, replace(hex(zeroblob(100)), '00', '李'), 'zoë' || value, 0, 1, 1 FROM numbers;
     INSERT INTO contact_layouts (workspace_id, fields) VALUES ('ws_1', '[]');`,
  );
  writeFileSync(file, readFileSync(file, "utf8").replace("[[kv_namespaces]]", `${control}[[kv_namespaces]]`));
  api.failing = "workers/scripts/tidings?";
  await expect(deploy()).rejects.toThrow("interrupted");
  expect(rowsIn("tidings-control")).toEqual(rowsIn("tidings"));
  expect(api.query("tidings-control", "SELECT * FROM contact_layouts")).toEqual([]);
  expect(varOf("tidings", "CONTROL")).toBeUndefined();
});

/** The step of a deployment that copies the control tables. */
async function copyControl(): Promise<void> {
  const folder = process.cwd();
  for (const [name, value] of Object.entries(account())) vi.stubEnv(name, value);
  process.chdir(project);
  try {
    await moveControlTables(["--remote"]);
  } finally {
    process.chdir(folder);
    vi.unstubAllEnvs();
  }
}

it("A deployment that repeats a failed upload copies the control tables again, and prints no API key if its output is not a terminal", async () => {
  api.execute(
    "tidings",
    "UPDATE members SET role = 'admin'; DELETE FROM users WHERE id = 'usr_7'; DELETE FROM api_keys",
  );
  const before = [new Map(api.secrets), countMigrations("tidings"), api.databases.size, api.queues.size];
  const token = api.secrets.get("tidings ADMIN_TOKEN") ?? "";
  const printed = await deploy(undefined, { wait: "60", adminToken: token, options: [] });
  expect(printed).toContain("Database tidings-control: control tables copied from tidings.");
  expect(rowsIn("tidings-control")).toEqual(rowsIn("tidings"));
  expect(varOf("tidings", "CONTROL")).toMatchObject({ type: "d1", id: "tidings-control" });
  expect(printed).toContain("There is no API key yet.");
  expect(printed).not.toMatch(/ADMIN_TOKEN \S{40}|the first key/);
  expect([api.secrets, countMigrations("tidings"), api.databases.size, api.queues.size]).toEqual(before);
});

it("Once a version binds CONTROL, the control tables are not copied again", async () => {
  const insert = "INSERT INTO workspaces (id, shard, name, plan, created_at) VALUES ('ws_3', 0, 'C', 'scale', 3)";
  api.execute("tidings-control", insert);
  const before = rowsIn("tidings-control");
  await copyControl();
  expect(rowsIn("tidings-control")).toEqual(before);
  const [{ number } = { number: 0 }] = z
    .array(z.object({ number: z.number() }))
    .parse(api.query("tidings-control", "SELECT number FROM workspaces WHERE id = 'ws_3'"));
  expect(number).toBeGreaterThan(1000);
});

it("The control tables are never copied over a control database that was in use or restored", async () => {
  const before = rowsIn("tidings-control");
  const worker = api.workers.get("tidings");
  api.workers.delete("tidings");
  await copyControl();
  if (worker !== undefined) api.workers.set("tidings", worker);

  const rolledBack = { worker: "tidings", bindings: [] };
  api.versions.push(rolledBack);
  await expect(copyControl()).rejects.toThrow("The running version does not use database tidings-control");
  api.versions.splice(0, Infinity, rolledBack);
  await expect(copyControl()).rejects.toThrow("Database tidings-control has newer workspaces than tidings");
  expect(rowsIn("tidings-control")).toEqual(before);
});

it("A deployment fails if a control database exists that wrangler.toml does not bind", async () => {
  writeFileSync(file, readFileSync(file, "utf8").replace(control, ""));
  await expect(deploy()).rejects.toThrow("Database tidings-control exists, but wrangler.toml does not bind it");
  expect(api.versions).toHaveLength(1);
});

it("A build for one environment is not deployed to another environment", async () => {
  const dryRun = runNode(wrangler("deploy", "--dry-run"), {
    name: "wrangler",
    cwd: project,
    env: { CLOUDFLARE_ENV: "staging", CLOUDFLARE_API_BASE_URL: url },
  });
  await expect(dryRun).rejects.toThrow("The last build is for production, and CLOUDFLARE_ENV selects staging.");
});

it("A first deployment that a signal ends uploads nothing and leaves no secrets on this machine", async () => {
  const temporary = makeStateDir();
  const secretFiles = () => globSync(join(temporary, "*/secrets.json"));
  api.databases.set("tidings-second", migratedDatabase());
  writeFileSync(file, readFileSync(file, "utf8").concat('\n[env.second]\nvars = { PUBLIC_URL = "" }\n'));
  let during: string[] | undefined;
  api.onCall = (call) => {
    if (!call.includes("assets-upload-session")) return;
    during ??= secretFiles();
    deployment.kill("SIGINT");
  };
  const env = { ...process.env, ...account(), CLOUDFLARE_ENV: "second", TMPDIR: temporary };
  const deployment = spawn(process.execPath, [resolve("scripts/deploy.ts"), "--wait", "0", "--print-secrets"], {
    cwd: project,
    env,
    stdio: "ignore",
  });
  expect(await once(deployment, "exit")).toEqual([130, null]);
  api.onCall = () => {};
  expect([during?.length, secretFiles()]).toEqual([1, []]);
  expect(api.workers.has("tidings-second")).toBe(false);
});
