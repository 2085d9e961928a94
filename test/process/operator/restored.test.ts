import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { migrateLocal } from "../../../scripts/migrate.ts";
import { runNode } from "../../../scripts/wrangler.ts";
import { inLocalDatabase, rowsOf } from "./databases.ts";
import { linkProject } from "../linked-project.ts";
import { makeStateDir } from "../service.ts";

const NUMBERS =
  "WITH RECURSIVE numbers (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM numbers WHERE value < 5500)";
const MESSAGES = `INSERT INTO messages (id, workspace_id, contact_seq, connection_id, from_contact, address, body, state, next_attempt_at, created_at)
  ${NUMBERS} SELECT 'msg_' || printf('%026d', value), 'ws_1', 1, 'conn_1', 0, '+1', 'Hi', 0, 1, value * 1000 FROM numbers`;

it("`npm run db:restored` settles any number of messages that were due, raises the versions of custom fields, and fails unless SENDING is off", async () => {
  const project = makeStateDir();
  linkProject(project);
  const stateDir = join(project, ".wrangler/state");
  await migrateLocal(stateDir);
  inLocalDatabase(stateDir, (database) =>
    database.exec(`${MESSAGES}; INSERT INTO contact_layouts VALUES ('ws_1', '[]', 5)`),
  );
  const run = (...args: string[]) =>
    runNode([resolve("scripts/restored.ts"), ...args], { name: "npm run db:restored", cwd: project });

  await expect(run("1970-01-01T01:29:00Z")).rejects.toThrow('Set SENDING = "off"');
  const config = join(project, "wrangler.toml");
  writeFileSync(config, readFileSync(config, "utf8").replace('SENDING = "on"', 'SENDING = "off"'));
  for (const time of ["yesterday", "2026-02-31T00:00:00Z"]) await expect(run(time)).rejects.toThrow("Usage");
  await expect(run("1970-01-01T01:29:00Z", "--remot")).rejects.toThrow("Unknown option '--remot'");
  expect(await run("1970-01-01T01:29:00Z")).toContain("Database tidings: 5400 messages are unknown, 0 campaigns");
  expect(await run("1970-01-01T01:29:00Z")).toContain("Database tidings: 0 messages");
  const query = (sql: string) => inLocalDatabase(stateDir, (database) => rowsOf(database, sql));
  expect(query("SELECT version > 1700000000 AS is_raised FROM contact_layouts")).toEqual([{ is_raised: 1 }]);
  expect(query("SELECT state, count(*) AS count FROM messages GROUP BY state")).toEqual([
    { state: 0, count: 100 },
    { state: 2, count: 5400 },
  ]);
  const chunks = "SELECT first, count FROM event_chunks WHERE workspace_id = 'ws_1' ORDER BY first";
  expect(query(chunks)).toEqual([
    { first: 1, count: 5000 },
    { first: 5001, count: 400 },
  ]);
});
