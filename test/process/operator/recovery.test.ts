import { spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { basename, join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it, onTestFinished } from "vitest";
import { runNode, wrangler } from "../../../scripts/wrangler.ts";
import { CloudflareApi } from "./cloudflare.ts";
import { migratedDatabase } from "./databases.ts";
import { linkProject } from "../linked-project.ts";
import { listen } from "../provider-server.ts";
import { makeStateDir } from "../service.ts";

const insertMessage = (id: string, createdAt: number) =>
  `INSERT INTO messages (id, workspace_id, contact_seq, connection_id, from_contact, address, body, state, next_attempt_at, created_at)
  VALUES ('${id}', 'ws_1', 1, 'conn_1', 0, '+1', 'Hi', 0, 1, ${createdAt})`;
const ROWS = `INSERT INTO api_keys (id, workspace_id, connection_id, hash, name, last_four, read_only, created_at)
    VALUES ('key_1', 'ws_1', 'conn_1', 'hash', 'Shop', 'abcd', 0, 1);
  INSERT INTO contacts (seq, id, workspace_id, name, phone, folded, created_at, updated_at)
    VALUES (4294967297, 'ct_1', 'ws_1', 'Ada', '+14155551234', '{"name":"ada","name_words":""}', 1, 1)`;

/** An account at Cloudflare, and the commands that work on it in the same copy of the project. */
async function openAccount(project: string) {
  const api = new CloudflareApi();
  const env = {
    CLOUDFLARE_API_BASE_URL: await api.start(),
    CLOUDFLARE_API_TOKEN: "token",
    CLOUDFLARE_ACCOUNT_ID: "account",
  };
  onTestFinished(() => api.stop());
  return {
    api,
    run: (name: string, ...args: string[]) =>
      runNode([resolve(`scripts/${name}.ts`), ...args], { name, cwd: project, env }),
    wrangler: (...args: string[]) => runNode(wrangler(...args), { name: "wrangler", cwd: project, env }),
    async putSecret(name: string, value: string): Promise<void> {
      const args = wrangler("secret", "put", name, "--name", "tidings");
      const child = spawn(process.execPath, args, { cwd: project, env: { ...process.env, ...env }, stdio: "pipe" });
      child.stdin.end(value);
      expect(await once(child, "close")).toEqual([0, null]);
    },
  };
}

async function migratedAccount(project: string) {
  const account = await openAccount(project);
  account.api.databases.set("tidings", migratedDatabase());
  return account;
}

function turnSendingOff(project: string): void {
  const file = join(project, "wrangler.toml");
  writeFileSync(file, readFileSync(file, "utf8").replace('SENDING = "on"', 'SENDING = "off"'));
}

it("A backup can be restored into another account, and a message that was created during the export is not sent twice", async () => {
  const project = makeStateDir();
  linkProject(project);
  const { api, run } = await openAccount(project);
  api.databases.set("tidings", new DatabaseSync(":memory:"));
  await run("migrate", "--remote");
  api.execute("tidings", `${insertMessage("msg_1", 1)};${ROWS}`);
  api.duringExport = () => api.execute("tidings", insertMessage("msg_2", Date.now()));
  await run("backup", "--remote");
  expect(api.query("tidings", "SELECT rowid FROM contact_search")).toEqual([{ rowid: 2 ** 32 + 1 }]);
  const [line = ""] = globSync(join(project, "backup/*/restore.txt")).map((file) => readFileSync(file, "utf8"));
  const [, time = ""] = /^npm run db:restored -- (\S+) --remote\n$/.exec(line) ?? [];

  const other = await openAccount(project);
  const file = globSync("backup/*/tidings.sql", { cwd: project })[0] ?? "";
  await other.wrangler("d1", "create", "tidings", "--location", "weur");
  await other.wrangler("d1", "execute", "tidings", "--remote", "--file", file, "--yes");
  await other.run("rebuild-search", "--remote");
  turnSendingOff(project);
  expect(await other.run("restored", time, "--remote")).toContain("Database tidings: 2 messages are unknown");
  await other.putSecret("ENCRYPTION_KEY", "the old key");
  const printed = await other.run("deploy", "--wait", "0", "--print-secrets");
  expect(printed).toContain(`ADMIN_TOKEN ${other.api.secrets.get("tidings ADMIN_TOKEN")}`);
  expect(printed).not.toContain("There is no API key yet");
  expect(other.api.secrets.get("tidings ENCRYPTION_KEY")).toBe("the old key");
  expect(other.api.query("tidings", "SELECT id, state FROM messages ORDER BY id")).toEqual([
    { id: "msg_1", state: 2 },
    { id: "msg_2", state: 2 },
  ]);
  expect(other.api.query("tidings", "SELECT rowid FROM contact_search WHERE contact_search MATCH 'ada'")).toHaveLength(
    1,
  );
});

it("npm run db:restored refuses to run while the deployment still sends", async () => {
  const project = makeStateDir();
  linkProject(project);
  const { api, run } = await migratedAccount(project);
  api.execute("tidings", insertMessage("msg_1", 1));
  turnSendingOff(project);
  let sending = "on";
  const health = createServer((_request, response) => response.end(JSON.stringify({ success: true, sending })));
  onTestFinished(() => void health.close());
  const file = join(project, "wrangler.toml");
  writeFileSync(file, readFileSync(file, "utf8").replace('PUBLIC_URL = ""', `PUBLIC_URL = "${await listen(health)}"`));
  const restored = () => run("restored", "2026-11-20T10:00:00Z", "--remote");
  await expect(restored()).rejects.toThrow('does not return "sending":"off"');
  expect(api.query("tidings", "SELECT state FROM messages")).toEqual([{ state: 0 }]);
  sending = "off";
  expect(await restored()).toContain("1 messages are unknown");
});

it("If a backup fails, it leaves no folder, and the database has its search indexes again", async () => {
  const project = makeStateDir();
  linkProject(project);
  const { api, run } = await migratedAccount(project);
  api.failing = "/export";
  await expect(run("backup", "--remote")).rejects.toThrow("The import was interrupted.");
  expect(globSync(join(project, "backup/*"))).toEqual([]);
  expect(api.query("tidings", "SELECT * FROM contact_search")).toEqual([]);
  api.databases.set("tidings", new DatabaseSync(":memory:"));
  await expect(run("backup", "--remote")).rejects.toThrow("Database tidings has no tables. Nothing was written.");
  expect(globSync(join(project, "backup/*"))).toEqual([]);
});

it("A backup whose rebuild of the search indexes fails keeps its files and prints the command that repairs the indexes", async () => {
  const project = makeStateDir();
  linkProject(project);
  const { api, run } = await migratedAccount(project);
  api.duringExport = () => (api.failing = "/import");
  const printed = await run("backup", "--remote").catch(String);
  expect(printed).toContain("The import was interrupted.");
  expect(printed).toContain("Run: npm run db:rebuild-search -- --remote");
  const files = globSync(join(project, "backup/*/*")).map((path) => basename(path));
  expect(files.toSorted()).toEqual(["restore.txt", "tidings.sql"]);
  await run("rebuild-search", "--remote");
  expect(api.query("tidings", "SELECT * FROM contact_search")).toEqual([]);
});
