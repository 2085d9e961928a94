import { globSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, it } from "vitest";
import { localDatabases } from "../../scripts/deploy/config.ts";
import { rebuildSearchIndexes } from "../../scripts/deploy/search-indexes.ts";
import { migrateLocal } from "../../scripts/migrate.ts";
import { executeD1, importStatements, queryD1, runNode } from "../../scripts/wrangler.ts";
import { linkProject } from "./linked-project.ts";
import { makeStateDir } from "./service.ts";

const NUMBERS =
  "WITH RECURSIVE numbers (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM numbers WHERE value < 300)";
const CONTACTS = `INSERT INTO contacts (seq, id, workspace_id, name, phone, folded, created_at, updated_at)
  ${NUMBERS} SELECT value + (1 << 32), 'ct_' || value, 'ws_1', 'Ada ' || value, '+1415555' || (1000 + value),
    json_object('name', 'ada ' || value, 'name_words', ''), 1, 1 FROM numbers`;
const messageId = "'msg_' || printf('%026d', value)";
const MESSAGES = `INSERT INTO messages (id, workspace_id, contact_seq, connection_id, from_contact, address, body, state, type, created_at)
  ${NUMBERS} SELECT ${messageId}, 'ws_1', value + (1 << 32), 'conn_1', 0, '+1', 'It''s "order" ' || value, 2, 'text', 1
  FROM numbers`;

it("A backup restores into an empty database, including search, and leaves the original unchanged", async () => {
  const project = makeStateDir();
  linkProject(project);
  const stateDir = makeStateDir();
  const where = localDatabases(stateDir);
  await migrateLocal(stateDir);
  await importStatements("DB", where, [CONTACTS, MESSAGES]);
  const before = await snapshot(where);
  expect(before).toMatchObject({ found: [{ rowid: 2 ** 32 + 42 }], messages: 300 });

  await runNode([resolve("scripts/backup.ts")], {
    name: "npm run db:backup",
    cwd: project,
    env: { STATE_DIR: stateDir },
  });
  expect(await snapshot(where)).toEqual(before);

  const restored = localDatabases(makeStateDir());
  const [file = ""] = globSync(join(project, "backup/*/tidings.sql"));
  await executeD1("DB", restored, "--file", file);
  await rebuildSearchIndexes("DB", restored);
  expect(await snapshot(restored)).toEqual(before);
});

/** Rows, schema and search results of a database. */
async function snapshot(where: string[]) {
  const query = (sql: string) => queryD1("DB", where, [sql]);
  const search = (table: string, text: string) =>
    query(`SELECT rowid FROM ${table} WHERE ${table} MATCH '"${text}"' ORDER BY rowid`);
  const schema =
    "SELECT type, name FROM sqlite_master WHERE name NOT GLOB '_cf_*' AND type <> 'index' ORDER BY type, name";
  return {
    schema: await query(schema),
    contacts: await query("SELECT * FROM contacts ORDER BY seq"),
    found: await search("contact_search", "ada 42"),
    messages: (await search("message_search", "order")).length,
  };
}
