import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { resolve } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { rebuildSearchIndexes } from "../../../scripts/deploy/search-indexes.ts";
import { CloudflareApi } from "./cloudflare.ts";
import { migratedDatabase } from "./databases.ts";
import { makeStateDir } from "../service.ts";

const api = new CloudflareApi();
const REMOTE = ["--remote"];

beforeAll(async () => {
  vi.stubEnv("CLOUDFLARE_API_BASE_URL", await api.start());
  vi.stubEnv("CLOUDFLARE_API_TOKEN", "token");
  vi.stubEnv("CLOUDFLARE_ACCOUNT_ID", "account");
  api.databases.set("tidings", migratedDatabase());
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await api.stop();
});

const createContact = (number: number) =>
  api.execute(
    "tidings",
    `INSERT INTO contacts (seq, id, workspace_id, name, phone, folded, created_at, updated_at)
     VALUES (${2 ** 32 + number}, 'ct_${number}', 'ws_1', 'Ada', '+1415555${1000 + number}', json_object('name', 'ada', 'name_words', ''), 1, 1)`,
  );

it("The search indexes are rebuilt in a limited time while contacts are created", async () => {
  createContact(1);
  let created = 1;
  api.onCall = (call) => {
    if (call.endsWith("/query") && created < 20) createContact(++created);
  };
  await rebuildSearchIndexes("tidings", REMOTE);
  api.onCall = () => {};
  expect(created).toBeLessThan(10);
  expect(api.query("tidings", "SELECT rowid FROM contact_search ORDER BY rowid")).toEqual(
    api.query("tidings", "SELECT seq AS rowid FROM contacts ORDER BY seq"),
  );
});

it("During a rebuild, a search index is either missing or complete, even if contacts are changed or deleted", async () => {
  const rowsOf = (sql: string) => JSON.stringify(api.query("tidings", `${sql} ORDER BY 1`));
  const seen = new Set<string>();
  let calls = 0;
  api.onCall = () => {
    const isThere = rowsOf("SELECT 1 FROM sqlite_master WHERE name = 'contact_search'") !== "[]";
    const isComplete = () =>
      rowsOf("SELECT rowid AS seq FROM contact_search") === rowsOf("SELECT seq FROM contacts") &&
      rowsOf("SELECT rowid AS seq FROM contact_search WHERE contact_search MATCH 'zoe'") ===
        rowsOf("SELECT seq FROM contacts WHERE folded LIKE '%zoe%'");
    seen.add(isThere ? (isComplete() ? "complete" : "incomplete") : "missing");
    const id = `'ct_${++calls}'`;
    api.execute("tidings", `UPDATE contacts SET folded = json_set(folded, '$.name', 'zoe') WHERE id = ${id}`);
    if (calls % 3 === 0) api.execute("tidings", `DELETE FROM contacts WHERE id = ${id}`);
  };
  await rebuildSearchIndexes("tidings", REMOTE);
  api.onCall = () => {};
  expect([...seen].toSorted()).toEqual(["complete", "missing"]);
  expect(calls).toBeGreaterThan(10);
});

it("A rebuild of the search indexes that a signal ends prints the command that repairs them, and deletes its files", async () => {
  const temporary = makeStateDir();
  const command = [resolve("scripts/rebuild-search.ts"), "--remote"];
  const rebuild = spawn(process.execPath, command, { env: { ...process.env, TMPDIR: temporary } });
  const printed = rebuild.stderr.toArray();
  api.onCall = (call) => {
    if (call.endsWith("/import")) rebuild.kill("SIGTERM");
  };
  const [code] = await once(rebuild, "exit");
  api.onCall = () => {};
  expect(code).toBe(143);
  expect(Buffer.concat(await printed).toString()).toContain("Run: npm run db:rebuild-search -- --remote");
  expect(readdirSync(temporary).filter((name) => name.startsWith("tidings-"))).toEqual([]);
});
