// Checks that the imports in src/ follow the rules in test/architecture/rules.ts. Part of `npm run check`.
import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path/posix";
import { parseSync, Visitor } from "oxc-parser";
import { type ImportRule, type Paths, rules } from "../test/architecture/rules.ts";

interface Import {
  from: string;
  to: string;
  /** False if the import is dynamic or imports only types. */
  isEager: boolean;
}

export interface Breach extends Import {
  rule: ImportRule;
}

export function readImports(root: string): Import[] {
  const files = globSync("src/**/*.{js,ts,tsx}", { cwd: root });
  return files.flatMap((from) =>
    specifiersIn(from, readFileSync(join(root, from), "utf8")).map(({ name, isEager }) => ({
      from,
      to: name.startsWith(".") ? join(dirname(from), name) : name,
      isEager,
    })),
  );
}

function specifiersIn(file: string, text: string): { name: string; isEager: boolean }[] {
  const { program, errors } = parseSync(file, text);
  if (errors.length > 0) throw new Error(`${file}: ${errors.map(({ message }) => message).join(", ")}`);
  const found: { name: string; isEager: boolean }[] = [];
  const add = (name: string, kind?: string) => void found.push({ name, isEager: kind === "value" });
  new Visitor({
    ImportDeclaration: ({ source, importKind }) => add(source.value, importKind),
    ExportAllDeclaration: ({ source, exportKind }) => add(source.value, exportKind),
    ExportNamedDeclaration({ source, exportKind }) {
      if (source) add(source.value, exportKind);
    },
    TSImportType: ({ source }) => add(source.value),
    ImportExpression({ source }) {
      if (source.type === "Literal" && typeof source.value === "string") add(source.value);
    },
  }).visit(program);
  return found;
}

export function findBreaches(imports: Import[]): Breach[] {
  const targets = Map.groupBy(imports, ({ from }) => from);
  const reaches = (from: string, to: string): boolean => {
    const seen = new Set([from]);
    for (const file of seen) {
      if (file === to) return true;
      for (const next of targets.get(file) ?? []) seen.add(next.to);
    }
    return false;
  };
  return imports.flatMap((each) =>
    rules.filter((rule) => isBroken(rule, each, reaches)).map((rule) => ({ ...each, rule })),
  );
}

function isBroken(rule: ImportRule, { from, to }: Import, reaches: (from: string, to: string) => boolean): boolean {
  if (!matches(rule.from, from)) return false;
  if (rule.isCyclic) return reaches(to, from);
  // `rule.to` can contain `$1`, which stands for the text that the first group of `rule.from.path` matched.
  const groups = new RegExp(rule.from.path ?? "").exec(from) ?? [];
  return matches(rule.to, to, (pattern) => pattern.replaceAll(/\$(\d)/g, (_, number) => groups[Number(number)] ?? ""));
}

function matches({ path, pathNot = [] }: Paths, file: string, fill = (pattern: string) => pattern): boolean {
  const isOneOf = (patterns: string | string[]) => [patterns].flat().some((each) => new RegExp(fill(each)).test(file));
  return (path === undefined || isOneOf(path)) && !isOneOf(pathNot);
}

if (import.meta.main) {
  const imports = readImports(".");
  if (imports.length < 1000) throw new Error("Run this in the root of the repository.");
  for (const { rule, from, to } of findBreaches(imports)) {
    console.error(`${rule.name}: ${from} imports ${to}. ${rule.comment}`);
    process.exitCode = 1;
  }
}
