import { globSync, readFileSync } from "node:fs";
import ts from "typescript";
import { expect, test } from "vitest";

function exportedNames(file: string, text: string): string[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  return source.statements.flatMap((node) => {
    const isExported = ts.canHaveModifiers(node)
      ? ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
      : false;
    if (isExported !== true) return [];
    if (ts.isVariableStatement(node)) return node.declarationList.declarations.map(({ name }) => name.getText());
    const isNamed =
      ts.isFunctionDeclaration(node) ||
      ts.isClassDeclaration(node) ||
      ts.isInterfaceDeclaration(node) ||
      ts.isTypeAliasDeclaration(node);
    return isNamed && node.name !== undefined ? [node.name.text] : [];
  });
}

test("The check for exported names finds every kind of export, and counts a name once if a type and a value share it", () => {
  const lines = [
    "export const a = 1, b = 2;",
    "export async function c() {}",
    "export class D {}",
    "export interface E {}",
    "export type F = string;",
    "export default { a };",
    "const g = 1;",
  ];
  expect(exportedNames("a.ts", lines.join("\n"))).toEqual(["a", "b", "c", "D", "E", "F"]);
});

test("No two files export the same name", () => {
  const declared = globSync("src/**/*.{ts,tsx}").flatMap((file) =>
    [...new Set(exportedNames(file, readFileSync(file, "utf8")))].map((name) => ({ name, file })),
  );
  expect(declared.length).toBeGreaterThan(1500);
  const shared = [...Map.groupBy(declared, ({ name }) => name).values()].filter((files) => files.length > 1);
  expect(shared.flat()).toEqual([]);
});
