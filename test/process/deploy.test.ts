import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runNode } from "../../scripts/wrangler.ts";
import { CloudflareApi } from "./cloudflare.ts";
import { linkProject } from "./linked-project.ts";
import { newStateDir } from "./service.ts";

const STAGING_URL = "https://staging.example.com";
const api = new CloudflareApi();
const { dir: project, remove } = newStateDir();
let url = "";

beforeAll(async () => {
  url = await api.start();
  linkProject(project);
  const file = join(project, "wrangler.toml");
  const settings = readFileSync(file, "utf8");
  writeFileSync(file, settings.replace('vars = { PUBLIC_URL = "" }', `vars = { PUBLIC_URL = "${STAGING_URL}" }`));
});
afterAll(async () => {
  await api.stop();
  remove();
});

const deploy = (environment?: string) =>
  runNode([resolve("scripts/deploy.ts"), "--location", "weur", "--wait", "0"], {
    name: "npm run deploy",
    cwd: project,
    env: {
      CLOUDFLARE_ENV: environment,
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

it("A failed first deployment can be repeated: it migrates before it uploads, and creates each resource once", async () => {
  api.failing = "/import";
  await expect(deploy()).rejects.toThrow("The import was interrupted.");
  expect([api.databases.size, api.secrets.size]).toEqual([1, 0]);

  const printed = await deploy();
  expect(api.locations).toEqual(["weur"]);
  expect(countMigrations("tidings")).toBeGreaterThan(40);
  expect(api.query("tidings", "SELECT * FROM workspaces")).toEqual([]);
  expect(api.calls.findIndex((call) => call.endsWith("/import"))).toBeLessThan(
    api.calls.findIndex((call) => call.startsWith("PUT workers/scripts/tidings")),
  );
  expect([...api.queues].toSorted()).toEqual(queueNames("tidings").toSorted());
  expect([...api.buckets, ...api.namespaces]).toEqual(["tidings-media", "tidings-cache"]);
  expect(printed).toContain(`ADMIN_TOKEN ${api.secrets.get("tidings ADMIN_TOKEN")}`);
  expect(Buffer.from(api.secrets.get("tidings ENCRYPTION_KEY") ?? "", "base64")).toHaveLength(32);
  const address = "https://tidings.example.workers.dev";
  expect(varOf("tidings", "PUBLIC_URL")).toMatchObject({ text: address });
  expect(readFileSync(join(project, "wrangler.toml"), "utf8")).toContain(`PUBLIC_URL = "${address}"`);
  expect(printed).toContain(`Deployed to ${address}`);
});

it("Staging has a Worker, database, queues, bucket and secrets of its own, and does not change production", async () => {
  const production = new Map(api.secrets);
  await deploy("staging");
  expect(api.databases.has("tidings-staging")).toBe(true);
  expect([...api.queues]).toEqual(expect.arrayContaining(queueNames("tidings-staging")));
  expect(varOf("tidings-staging", "MEDIA")).toMatchObject({ bucket_name: "tidings-staging-media" });
  expect(varOf("tidings-staging", "PUBLIC_URL")).toMatchObject({ text: STAGING_URL });
  expect(varOf("tidings", "PUBLIC_URL")).toMatchObject({ text: "https://tidings.example.workers.dev" });
  expect(api.secrets.get("tidings-staging ENCRYPTION_KEY")).not.toBe(production.get("tidings ENCRYPTION_KEY"));
  expect(api.secrets.get("tidings ENCRYPTION_KEY")).toBe(production.get("tidings ENCRYPTION_KEY"));
});

it("The first deployment with CONTROL copies the control tables once, and copies no other tables", async () => {
  api.execute(
    "tidings",
    `INSERT INTO workspaces (id, shard, name, plan, created_at) VALUES ('ws_1', 0, 'O''Brien;\n"Cafés"', 'growth', 1), ('ws_2', 0, 'B', 'scale', 2);
     INSERT INTO members (workspace_id, user_id, role, created_at) VALUES ('ws_1', 'usr_1', 'owner', 1);
     INSERT INTO contact_layouts (workspace_id, fields) VALUES ('ws_1', '[]');`,
  );
  const file = join(project, "wrangler.toml");
  const control = `[[d1_databases]]\nbinding = "CONTROL"\ndatabase_name = "tidings-control"\nmigrations_dir = "drizzle"\n`;
  writeFileSync(file, readFileSync(file, "utf8").replace("[[kv_namespaces]]", `${control}\n[[kv_namespaces]]`));

  expect(await deploy()).toContain("Database tidings-control: control tables copied from tidings.");
  const selectAll = "SELECT * FROM workspaces ORDER BY number";
  expect(api.query("tidings-control", selectAll)).toEqual(api.query("tidings", selectAll));
  expect(api.query("tidings-control", "SELECT user_id FROM members")).toEqual([{ user_id: "usr_1" }]);
  expect(api.query("tidings-control", "SELECT * FROM contact_layouts")).toEqual([]);
  expect(varOf("tidings", "CONTROL")).toMatchObject({ type: "d1", id: "tidings-control" });

  const insert = "INSERT INTO workspaces (id, shard, name, plan, created_at) VALUES ('ws_3', 0, 'C', 'scale', 3)";
  api.execute("tidings-control", insert);
  const before = [new Map(api.secrets), countMigrations("tidings"), api.databases.size, api.queues.size];
  const printed = await deploy();
  expect(printed).not.toMatch(/copied|ADMIN_TOKEN/);
  expect([api.secrets, countMigrations("tidings"), api.databases.size, api.queues.size]).toEqual(before);
  expect(api.query("tidings-control", "SELECT number FROM workspaces WHERE id = 'ws_3'")).toEqual([{ number: 1003 }]);
});
