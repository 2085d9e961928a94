import { globSync, readFileSync } from "node:fs";
import ts from "typescript";
import { expect, test } from "vitest";

/** Finds each `in` that checks a property. `in` is also true for inherited properties. */
function placesOfIn(file: string, text: string): string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const places: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.InKeyword) {
      places.push(`${file}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return places;
}

test("The check for the operator `in` does not report the word “in” in comments, loops and types", () => {
  expect(placesOfIn("a.ts", '// "a" in b\nfor (const c in d) {}\ntype E = { [K in F]: 1 };\nif ("a" in b) {}')).toEqual(
    ["a.ts:4"],
  );
});

test("No code uses the operator `in` to check whether an object has a property", () => {
  const files = globSync(["src/**/*.{ts,tsx,js}", "scripts/**/*.{ts,js}"]);
  expect(files.length).toBeGreaterThan(250);
  expect(files.flatMap((file) => placesOfIn(file, readFileSync(file, "utf8")))).toEqual([]);
});
