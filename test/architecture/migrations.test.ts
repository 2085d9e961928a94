import { globSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { describe, expect, it } from "vitest";
import { migrationStatements } from "../../scripts/migrate.ts";

const COMMENT_OR_QUOTED = /--(?!> )[^\n]*|\/\*[\s\S]*?\*\/|'[^']*'|"[^"]*"|`[^`]*`/g;

/** D1's remote API misreads comments with these characters (workers-sdk #4713). */
const riskyComments = (sql: string): string[] =>
  (sql.match(COMMENT_OR_QUOTED) ?? []).filter((part) => /^(?:--|\/\*)/.test(part) && /['";]/.test(part));

const migrations = globSync("drizzle/*.sql");

describe("Migrations", () => {
  it("Comments in migrations since 0041 contain no quotes or semicolons", () => {
    const later = migrations.filter((file) => basename(file) > "0041");
    expect(later.flatMap((file) => riskyComments(readFileSync(file, "utf8")))).toEqual([]);
    expect(riskyComments("SELECT '--a;'; -- It's\n-- plain")).toEqual(["-- It's"]);
  });

  it("The statements that Cloudflare receives for a migration contain no comments", () => {
    const statements = migrations.flatMap((file) => migrationStatements(basename(file), readFileSync(file, "utf8")));
    expect(
      statements.flatMap((each) => each.match(COMMENT_OR_QUOTED) ?? []).filter((part) => /^(?:--|\/\*)/.test(part)),
    ).toEqual([]);
    expect(migrationStatements("0001_a.sql", "-- It's\nSELECT '--' /* ; */;")).toEqual([
      "SELECT '--'",
      "INSERT INTO d1_migrations (name) VALUES ('0001_a.sql')",
    ]);
  });
});
