import { globSync, readFileSync } from "node:fs";
import { relative } from "node:path/posix";
import { pascalCase } from "../../src/shared/text/text.ts";

const FOLDER = "src/console/client";

/** The files with this extension by path below the folder, without the extension. */
const list = (pattern: string, ending: string) =>
  globSync(`${FOLDER}/${pattern}${ending}`)
    .map((path) => relative(FOLDER, path).slice(0, -ending.length))
    .toSorted();

/** The imports of console.css in order, because later styles override earlier ones. */
function listStyles(): string[] {
  const imports = readFileSync(`${FOLDER}/styles/console.css`, "utf8").matchAll(/@import "\.\/(.+)\.css";/g);
  const listed = [...imports].map(([, name = ""]) => name);
  const missing = list("styles/*/*", ".css").filter((name) => !listed.includes(name.replace("styles/", "")));
  if (missing.length > 0) throw new Error(`console.css does not import ${missing.join(", ")}.`);
  return listed;
}

/** A module that imports all scripts and styles of the console, because a Worker cannot list files. */
export function makeConsoleFiles(): [path: string, text: string] {
  const scripts = list("**/*", ".client.js");
  const styles = listStyles();
  const lines = [
    "// Made by `npm run generate`.",
    ...scripts.map((name) => `import script${pascalCase(name)} from "./${name}.client.js";`),
    ...styles.map((name) => `import styles${pascalCase(name)} from "./styles/${name}.css";`),
    "",
    "/** By path below this folder. */",
    "export const clientScripts = {",
    ...scripts.map((name) => `  "${name}.client.js": script${pascalCase(name)},`),
    "};",
    "",
    "/** In the order in which they apply. */",
    "export const clientStyles = [",
    ...styles.map((name) => `  styles${pascalCase(name)},`),
    "];",
  ];
  return [`${FOLDER}/files.ts`, `${lines.join("\n")}\n`];
}
