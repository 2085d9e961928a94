// `npm run generate` writes the generated files of the repository. With `--check`, it writes nothing and fails
// if a file is out of date.
import { readFile, rm, writeFile } from "node:fs/promises";
import { makeClient } from "./generate/client.ts";
import { globSync, readFileSync } from "node:fs";
import { relative } from "node:path/posix";
import { pascalCase } from "../src/shared/text/text.ts";
import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build, type Plugin } from "esbuild";

/**
 * Replaces the module `cloudflare:workers` with empty values, because it exists only in workerd. The bundled code
 * imports it, but the OpenAPI document does not depend on it.
 */
const withoutPlatform: Plugin = {
  name: "without-platform",
  setup({ onLoad, onResolve }) {
    onResolve({ filter: /^cloudflare:/ }, ({ path }) => ({ path, namespace: "platform" }));
    onLoad({ filter: /.*/, namespace: "platform" }, () => ({
      contents: "export class DurableObject {} export const env = {}; export const exports = {};",
    }));
  },
};

const entry = `
  import { documentParts } from "./src/documentation/document-parts.ts";
  import { loadApis } from "./src/entrypoints/features.ts";
  import { describeApi } from "./src/http/openapi/openapi.ts";
  export const apiDocument = async () => describeApi(await loadApis(), documentParts);
`;

/** Creates the document of `/openapi.json` in Node, without starting a Worker. */
async function makeOpenApiDocument(): Promise<unknown> {
  const outfile = resolve(`.wrangler/openapi-${randomUUID()}.mjs`);
  await build({
    stdin: { contents: entry, resolveDir: ".", loader: "ts" },
    outfile,
    bundle: true,
    format: "esm",
    platform: "node",
    jsx: "automatic",
    jsxImportSource: "hono/jsx",
    plugins: [withoutPlatform],
    logLevel: "warning",
  });
  try {
    const { apiDocument } = await import(pathToFileURL(outfile).href);
    return apiDocument();
  } finally {
    await rm(outfile);
  }
}

const FOLDER = "src/console/client";

const list = (pattern: string, ending: string) =>
  globSync(`${FOLDER}/${pattern}${ending}`)
    .map((path) => relative(FOLDER, path).slice(0, -ending.length))
    .toSorted();

/**
 * Returns the styles in the order in which console.css imports them. Later styles override earlier ones, so the
 * order matters.
 */
function listStyles(): string[] {
  const imports = readFileSync(`${FOLDER}/styles/console.css`, "utf8").matchAll(/@import "\.\/(.+)\.css";/g);
  const listed = [...imports].map(([, name = ""]) => name);
  const missing = list("styles/*/*", ".css").filter((name) => !listed.includes(name.replace("styles/", "")));
  if (missing.length > 0) throw new Error(`console.css does not import ${missing.join(", ")}.`);
  return listed;
}

/** Creates a module that imports all scripts and styles of the console, because a Worker cannot list files. */
function makeConsoleFiles(): [path: string, text: string] {
  const scripts = list("**/*", ".client.js");
  const styles = listStyles();
  const lines = [
    "// Made by `npm run generate`.",
    ...scripts.map((name) => `import script${pascalCase(name)} from "./${name}.client.js";`),
    ...styles.map((name) => `import styles${pascalCase(name)} from "./styles/${name}.css";`),
    "",
    "/** The key is the path in this folder. */",
    "export const clientScripts = {",
    ...scripts.map((name) => `  "${name}.client.js": script${pascalCase(name)},`),
    "};",
    "",
    "/** Later styles override earlier styles. */",
    "export const clientStyles = [",
    ...styles.map((name) => `  styles${pascalCase(name)},`),
    "];",
  ];
  return [`${FOLDER}/files.ts`, `${lines.join("\n")}\n`];
}

const document = await makeOpenApiDocument();
const files = new Map([
  ["sdk/openapi.json", `${JSON.stringify(document)}\n`],
  ...(await makeClient(document)),
  makeConsoleFiles(),
]);

for (const [path, text] of files) {
  if (!process.argv.includes("--check")) await writeFile(path, text);
  else if ((await readFile(path, "utf8")) !== text) {
    console.error(`${path} is outdated. Run npm run generate.`);
    process.exitCode = 1;
  }
}
