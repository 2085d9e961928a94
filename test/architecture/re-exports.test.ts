import { globSync, readFileSync } from "node:fs";
import ts from "typescript";
import { expect, test } from "vitest";

/** The Worker's entry exports the Durable Objects. drizzle-kit and the queries read the schema from one file. */
const MAY_PASS_ON = ["src/index.ts", "src/db/schema/index.ts"];

/** Finds exports of another file's declarations, in one statement or by an import and an export. */
function placesOfReExports(file: string, text: string): string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const imported = new Set<string>();
  const places: string[] = [];
  for (const node of source.statements) {
    if (ts.isImportDeclaration(node)) {
      const bindings = node.importClause?.namedBindings;
      if (bindings !== undefined && ts.isNamedImports(bindings)) {
        for (const { name } of bindings.elements) imported.add(name.text);
      }
    }
    if (!ts.isExportDeclaration(node)) continue;
    const named = node.exportClause !== undefined && ts.isNamedExports(node.exportClause) ? node.exportClause : null;
    const isPassedOn = named?.elements.some((each) => imported.has((each.propertyName ?? each.name).text)) ?? false;
    if (node.moduleSpecifier === undefined && !isPassedOn) continue;
    places.push(`${file}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`);
  }
  return places;
}

test("The check for re-exports reports every re-exported import, and no name that the file declares itself", () => {
  const lines = [
    'import { a, b as c } from "./a.ts";',
    'export { d } from "./d.ts";',
    'export * from "./e.ts";',
    'export type { F } from "./f.ts";',
    "export { a };",
    "const g = 1;",
    "export { g };",
    "export const h = a;",
    "export { c as i };",
  ];
  expect(placesOfReExports("a.ts", lines.join("\n"))).toEqual(["a.ts:2", "a.ts:3", "a.ts:4", "a.ts:5", "a.ts:9"]);
});

test("Every name is imported from the file that declares it", () => {
  const files = globSync("src/**/*.{ts,tsx}").filter((file) => !MAY_PASS_ON.includes(file));
  expect(files.length).toBeGreaterThan(250);
  expect(files.flatMap((file) => placesOfReExports(file, readFileSync(file, "utf8")))).toEqual([]);
});
