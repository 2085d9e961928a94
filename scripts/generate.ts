// `npm run generate`: writes the generated files of the repository. `--check` writes nothing and fails if a file is outdated.
import { readFile, writeFile } from "node:fs/promises";
import { makeClient } from "./generate/client.ts";
import { makeConsoleFiles } from "./generate/console-files.ts";
import { makeOpenApiDocument } from "./generate/openapi-document.ts";

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
