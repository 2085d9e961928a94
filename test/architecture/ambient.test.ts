import { globSync, readFileSync } from "node:fs";
import ts from "typescript";
import { expect, test } from "vitest";

/** Calls that read the clock or randomness directly. */
const AMBIENT: Record<string, string[]> = {
  Date: ["now"],
  Math: ["random"],
  performance: ["now"],
  crypto: ["randomUUID", "getRandomValues"],
};

/** These files may use these calls. Other code gets clock and randomness from `ctx`. */
const ALLOWED = [
  { file: /^src[/]entrypoints[/]base-context[.]ts$/, names: ["Date.now", "Math.random", "crypto.randomUUID"] },
  { file: /^src[/]shared[/]security[/]crypto[.]ts$/, names: ["crypto.getRandomValues"] },
  { file: /[.]object[.]ts$/, names: ["Date.now"] },
  { file: /^src[/]shared[/]alarms[.]ts$/, names: ["Date.now"] },
  { file: /^src[/]features[/]pacing[/]pacing[.]object[.]ts$/, names: ["crypto.randomUUID"] },
];

interface Place {
  name: string;
  at: string;
}

function ambientPlaces(file: string, text: string): Place[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const places: Place[] = [];
  const add = (node: ts.Node, name: string) =>
    places.push({ name, at: `${file}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}` });
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAccessExpression(node)) {
      const owner = ts.isPropertyAccessExpression(node.expression) ? node.expression.name : node.expression;
      const of = ts.isIdentifier(owner) ? owner.text : "";
      if (Object.hasOwn(AMBIENT, of) && AMBIENT[of]?.includes(node.name.text)) add(node, `${of}.${node.name.text}`);
    }
    const isClock = (ts.isNewExpression(node) && (node.arguments ?? []).length === 0) || ts.isCallExpression(node);
    if (isClock && ts.isIdentifier(node.expression) && node.expression.text === "Date") add(node, "Date");
    if (
      ts.isImportSpecifier(node) &&
      Object.values(AMBIENT)
        .flat()
        .includes((node.propertyName ?? node.name).text)
    )
      add(node, (node.propertyName ?? node.name).text);
    ts.forEachChild(node, visit);
  };
  visit(source);
  return places;
}

const isAllowed = (path: string, name: string) =>
  ALLOWED.some(({ file, names }) => file.test(path) && names.includes(name));

test("The check for ambient state finds code that reads the clock or random values directly, and nothing else", () => {
  const lines = [
    "Date.now();",
    "new Date(5); new Date(at).getTime(); Date.parse(text);",
    "const made = new Date();",
    "const draw = Math.random;",
    "globalThis.crypto.randomUUID();",
    'import { randomUUID as uuid } from "node:crypto";',
    "ctx.now(); ctx.random(); Math.round(1); crypto.subtle;",
    "const text = Date();",
  ];
  expect(ambientPlaces("a.ts", lines.join("\n")).map(({ name, at }) => `${at} ${name}`)).toEqual([
    "a.ts:1 Date.now",
    "a.ts:3 Date",
    "a.ts:4 Math.random",
    "a.ts:5 crypto.randomUUID",
    "a.ts:6 randomUUID",
    "a.ts:8 Date",
  ]);
});

test("Product code reads the clock, ids and random values only through ctx", () => {
  const files = globSync("src/**/*.{ts,tsx}");
  const found = files.map((file) => ({ file, places: ambientPlaces(file, readFileSync(file, "utf8")) }));
  const forbidden = found.flatMap(({ file, places }) => places.filter(({ name }) => !isAllowed(file, name)));
  expect(forbidden).toEqual([]);
  const used = ALLOWED.flatMap(({ file, names }) => names.map((name) => ({ file, name })));
  for (const { file, name } of used)
    expect(found.some((each) => file.test(each.file) && each.places.some((place) => place.name === name))).toBe(true);
});
