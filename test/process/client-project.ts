import { execFile } from "node:child_process";
import { globSync } from "node:fs";
import { cp, mkdir, readdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import * as z from "zod";

const run = promisify(execFile);
const manifest = z.object({ dependencies: z.record(z.string(), z.string()).default({}) });

/** Finds the folders of all packages that a package needs at run time. */
async function dependenciesOf(folder: string): Promise<string[]> {
  const { dependencies } = manifest.parse(JSON.parse(await readFile(join(folder, "package.json"), "utf8")));
  const folders = Object.keys(dependencies).map((name) => `./node_modules/${name}`);
  return [...folders, ...(await Promise.all(folders.map(dependenciesOf))).flat()];
}

/**
 * Creates an empty project with the packed client. Its dependencies are packed here, too, so that no network is needed.
 */
export async function makeProject(project: string): Promise<void> {
  const packages = join(project, "packages");
  await mkdir(packages);
  const pack = (...args: string[]) => run("npm", ["pack", "--silent", "--pack-destination", packages, ...args]);
  await pack("--workspace", "sdk");
  await pack("--ignore-scripts", ...(await dependenciesOf("sdk")));
  await writeFile(join(project, "package.json"), JSON.stringify({ name: "consumer", private: true, type: "module" }));
  const archives = (await readdir(packages)).map((name) => `./packages/${name}`);
  await run("npm", ["install", "--offline", "--no-audit", "--no-fund", ...archives], { cwd: project });
  await cp("test/process/client", join(project, "client"), { recursive: true });
  await cp("examples/shop/src", join(project, "shop"), { recursive: true });
  await writeReadmeExamples(join(project, "client"));
  await symlink(resolve("node_modules/@types"), join(project, "node_modules/@types"));
}

/**
 * Writes each TypeScript example of the package's page and of the guides to a file, and adds the code that it omits.
 */
async function writeReadmeExamples(folder: string): Promise<void> {
  const paths = ["sdk/README.md", ...globSync("docs/guides/*.md")];
  const pages = (await Promise.all(paths.map((path) => readFile(path, "utf8")))).join("\n");
  const given = `import type { Tidings } from "@tidings/client";
declare global {
  const tidings: Tidings;
  const to: string, text: string, baseUrl: string;
  const order: { id: string };
}
`;
  await writeFile(join(folder, "readme.d.ts"), given);
  const examples = [...pages.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = ""]) => `${code}\nexport {};\n`);
  await Promise.all(examples.map((code, index) => writeFile(join(folder, `readme-${index}.ts`), code)));
}
