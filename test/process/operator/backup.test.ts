import { globSync, statSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { expect, it } from "vitest";
import { localDatabases } from "../../../scripts/deploy/config.ts";
import { rebuildSearchIndexes } from "../../../scripts/deploy/search-indexes.ts";
import { migrateLocal } from "../../../scripts/migrate.ts";
import { executeD1, runNode } from "../../../scripts/wrangler.ts";
import { inLocalDatabase, rowsOf } from "./databases.ts";
import { linkProject } from "../linked-project.ts";
import { makeStateDir } from "../service.ts";

const NUMBERS =
  "WITH RECURSIVE numbers (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM numbers WHERE value < 300)";
const CONTACTS = `INSERT INTO contacts (seq, id, workspace_id, name, phone, folded, created_at, updated_at)
  ${NUMBERS} SELECT value + (1 << 32), 'ct_' || value, 'ws_1', 'Ada ' || value, '+1415555' || (1000 + value),
    json_object('name', 'ada ' || value, 'name_words', ''), 1, 1 FROM numbers`;
/** Texts that look like statements, and every character that can end a line. */
const HOSTILE = [
  "a\u2028CREATE TRIGGER is what I typed",
  "a\u2029CREATE VIEW v AS SELECT 1;--\u2028b",
  "a\nCREATE TRIGGER t;\r\nCREATE VIEW v\r\u0085\u000b\fINSERT",
  "It's \\n and \\r, 'é😀'; -- /*",
];
const messageId = "'msg_' || printf('%026d', value)";
const MESSAGES = `INSERT INTO messages (id, workspace_id, contact_seq, connection_id, from_contact, address, body, state, type, created_at)
  ${NUMBERS} SELECT ${messageId}, 'ws_1', value + (1 << 32), 'conn_1', 0, '+1', 'It''s "order" ' || value, 2, 'text', 1
  FROM numbers`;

it("A backup can be restored into an empty database, including search, and does not change the original database", async () => {
  const project = makeStateDir();
  linkProject(project);
  const stateDir = makeStateDir();
  await migrateLocal(stateDir);
  inLocalDatabase(stateDir, (database) => database.exec([CONTACTS, MESSAGES, setBodies(HOSTILE)].join(";\n")));
  const before = snapshot(stateDir);
  expect(before).toMatchObject({ found: [{ rowid: 2 ** 32 + 42 }], messages: 296 });

  await runNode([resolve("scripts/backup.ts")], {
    name: "npm run db:backup",
    cwd: project,
    env: { STATE_DIR: stateDir },
  });
  expect(snapshot(stateDir)).toEqual(before);

  const other = makeStateDir();
  const restored = localDatabases(other);
  const files = globSync(join(project, "backup/*/*")).map((path) => basename(path));
  expect(files.toSorted()).toEqual(["restore.txt", "tidings.sql"]);
  expect(["backup", "backup/*"].flatMap((path) => globSync(join(project, path)).map(modeOf))).toEqual([0o700, 0o700]);
  const [file = ""] = globSync(join(project, "backup/*/tidings.sql"));
  await executeD1("DB", restored, "--file", file);
  await rebuildSearchIndexes("DB", restored);
  expect(snapshot(other)).toEqual(before);
});

const modeOf = (path: string): number => statSync(path).mode & 0o777;

/** Gives the first messages these texts. */
const setBodies = (texts: string[]): string => {
  const cases = texts.map(
    (text, index) => `WHEN 'msg_${String(index + 1).padStart(26, "0")}' THEN '${text.replaceAll("'", "''")}'`,
  );
  return `UPDATE messages SET body = CASE id ${cases.join(" ")} ELSE body END`;
};

/** Rows, schema and search results of a database. */
const snapshot = (stateDir: string) =>
  inLocalDatabase(stateDir, (database) => {
    const query = (sql: string) => rowsOf(database, sql);
    const search = (table: string, text: string) =>
      query(`SELECT rowid FROM ${table} WHERE ${table} MATCH '"${text}"' ORDER BY rowid`);
    const schema =
      "SELECT type, name FROM sqlite_master WHERE name NOT GLOB '_cf_*' AND type <> 'index' ORDER BY type, name";
    return {
      schema: query(schema),
      contacts: query("SELECT * FROM contacts ORDER BY seq"),
      found: search("contact_search", "ada 42"),
      bodies: query("SELECT id, hex(body) AS body FROM messages ORDER BY id"),
      messages: search("message_search", "order").length,
    };
  });
