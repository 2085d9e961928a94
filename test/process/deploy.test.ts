import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runNode, wrangler } from "../../scripts/wrangler.ts";
import { CloudflareApi } from "./cloudflare.ts";
import { linkProject } from "./linked-project.ts";
import { listen } from "./local-server.ts";
import { newStateDir } from "./service.ts";

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

const deploy = (environment?: string, { wait = "0", adminToken }: { wait?: string; adminToken?: string } = {}) =>
  runNode([resolve("scripts/deploy.ts"), "--location", "weur", "--wait", wait], {
    name: "npm run deploy",
    cwd: project,
    env: {
      ADMIN_TOKEN: adminToken,
      CLOUDFLARE_ENV: environment,
      NODE_OPTIONS: toWorker,
      CLOUDFLARE_API_BASE_URL: url,
      CLOUDFLARE_API_TOKEN: "token",
      CLOUDFLARE_ACCOUNT_ID: "account",
    },
  });

const varOf = (worker: string, name: string) => api.workers.get(worker)?.bindings.find((each) => each["name"] === name);
const countMigrations = (database: string) => api.query(database, "SELECT 1 FROM d1_migrations").length;
const kinds = ["direct", "campaign", "expand", "events", "statuses", "usage", "media", "jobs"];
const queueNames = (prefix: string) =>
  kinds.flatMap((kind) => (kind === "usage" ? [] : [`${prefix}-${kind}-dead`]).concat(`${prefix}-${kind}`));

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
  expect(varOf("tidings", "PUBLIC_URL")).toMatchObject({ text: address });
  expect(readFileSync(join(project, "wrangler.toml"), "utf8")).toContain(`PUBLIC_URL = "${address}"`);
  expect(printed).toContain(`Deployed to ${address}`);
});

it("Staging has its own Worker, database, queues, bucket and secrets, and leaves production unchanged", async () => {
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

it("A deployment that binds CONTROL copies the control tables once, and none of the workspaces' data", async () => {
  api.execute(
    "tidings",
    `INSERT INTO workspaces (id, shard, name, plan, created_at) VALUES ('ws_1', 0, 'O''Brien;\n"Cafés"', 'growth', 1), ('ws_2', 0, 'B', 'scale', 2);
     INSERT INTO members (workspace_id, user_id, role, created_at) VALUES ('ws_1', 'usr_1', 'owner', 1);
     INSERT INTO contact_layouts (workspace_id, fields) VALUES ('ws_1', '[]');`,
  );
  const file = join(project, "wrangler.toml");
  const control = `[[d1_databases]]\nbinding = "CONTROL"\ndatabase_name = "tidings-control"\nmigrations_dir = "drizzle"\n`;
  writeFileSync(file, readFileSync(file, "utf8").replace("[[kv_namespaces]]", `${control}\n[[kv_namespaces]]`));

  const copied = await deploy();
  expect(copied).toContain("Database tidings-control: control tables copied from tidings.");
  expect(copied).toContain("ADMIN_TOKEN=<the printed token> npm run deploy");
  const selectAll = "SELECT * FROM workspaces ORDER BY number";
  expect(api.query("tidings-control", selectAll)).toEqual(api.query("tidings", selectAll));
  expect(api.query("tidings-control", "SELECT user_id FROM members")).toEqual([{ user_id: "usr_1" }]);
  expect(api.query("tidings-control", "SELECT * FROM contact_layouts")).toEqual([]);
  expect(varOf("tidings", "CONTROL")).toMatchObject({ type: "d1", id: "tidings-control" });

  const insert = "INSERT INTO workspaces (id, shard, name, plan, created_at) VALUES ('ws_3', 0, 'C', 'scale', 3)";
  const insertKey = `INSERT INTO api_keys (id, workspace_id, connection_id, hash, name, last_four, read_only, created_at)
    VALUES ('key_1', 'ws_1', 'conn_1', 'hash', 'Shop', 'abcd', 0, 1)`;
  api.execute("tidings-control", `${insert};${insertKey}`);
  const before = [new Map(api.secrets), countMigrations("tidings"), api.databases.size, api.queues.size];
  const printed = await deploy();
  expect(printed).not.toMatch(/copied|ADMIN_TOKEN/);
  expect([api.secrets, countMigrations("tidings"), api.databases.size, api.queues.size]).toEqual(before);
  expect(api.query("tidings-control", "SELECT number FROM workspaces WHERE id = 'ws_3'")).toEqual([{ number: 1003 }]);
});

it("A build for one environment is not deployed with another", async () => {
  const dryRun = runNode(wrangler("deploy", "--dry-run"), {
    name: "wrangler",
    cwd: project,
    env: { CLOUDFLARE_ENV: "staging", CLOUDFLARE_API_BASE_URL: url },
  });
  await expect(dryRun).rejects.toThrow("The last build is for production, and CLOUDFLARE_ENV selects staging.");
});
