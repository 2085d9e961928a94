import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { localDatabases } from "../../../scripts/deploy/config.ts";
import { migrateByFile } from "../../../scripts/migrate.ts";
import { runWrangler } from "../../../scripts/wrangler.ts";
import { inLocalDatabase, rowsOf } from "./databases.ts";
import { makeStateDir } from "../service.ts";

it("A migration file is applied completely or not at all, even with triggers or quotes in comments, and is recorded for wrangler", async () => {
  const stateDir = makeStateDir();
  const folder = join(stateDir, "drizzle");
  mkdirSync(folder);
  const copy = (name: string, after = "") =>
    writeFileSync(join(folder, name), readFileSync(join("drizzle", name), "utf8") + after);
  const [tables, details, search] = ["0000_foundation.sql", "0001_contact_details.sql", "0002_contact_search.sql"];
  copy(tables);
  copy(details);
  copy(search, '-- It isn\'t "valid";\nSELEC 1;\n');
  const where = localDatabases(stateDir);
  const query = (sql: string) => inLocalDatabase(stateDir, (database) => rowsOf(database, sql));
  const selectTriggers =
    "SELECT name FROM sqlite_master WHERE type = 'trigger' AND name LIKE 'contacts_search_%' ORDER BY name";

  await expect(migrateByFile("DB", where, folder)).rejects.toThrow("SELEC");
  expect(query("SELECT name FROM d1_migrations")).toEqual([]);
  expect(query(selectTriggers)).toEqual([]);

  copy(search, '-- It isn\'t "wrong";\n');
  expect(await migrateByFile("DB", where, folder)).toBe(3);
  expect(await migrateByFile("DB", where, folder)).toBe(0);
  const triggers = ["delete", "insert", "update"].map((event) => ({ name: `contacts_search_${event}` }));
  expect(query(selectTriggers)).toEqual(triggers);
  expect(await runWrangler(["d1", "migrations", "list", "DB", ...where, "--config", "wrangler.toml"])).not.toContain(
    search,
  );
});
